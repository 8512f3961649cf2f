// SPDX-License-Identifier: MIT
#include "fit/camera/camera_estimates.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using simulator::CameraKind;

constexpr double kTwoSided = 1.959964;   ///< standard errors to the ends of a 95 % interval
constexpr double kBoundSlack = 0.1;      ///< of a gain from a band that may hold light: below it
constexpr double kFallOfLight = 1.15;    ///< of the spectrum within the band: light is in it
constexpr double kLeastGrowth = 0.1;     ///< of the variance over the range, relative to it
constexpr double kUsualReadNoise = 1.5;  ///< electrons, of scientific CMOS cameras
constexpr double kMostSpread = 0.016;    ///< of gains, of usual cameras
constexpr double kBlackOfBytes = 16;     ///< DN; cameras of more bits have larger offsets
constexpr double kWidestSpread = 0.05;   ///< of gains
/// Differences of the offsets of pixels that are allowed for where planes do not tell them, DN.
constexpr double kUsualPattern = 2.5, kUsualPatternOfBytes = 0.3;

struct Bounds {
  double value = 0, low = 0, high = 0;
};

Bounds around(double value, double error) {
  return {value, value - kTwoSided * error, value + kTwoSided * error};
}

class CameraWriter {
 public:
  CameraWriter(const CameraNoise& noise, const std::set<std::string>& fixed,
               simulator::SceneSpec& scene, Findings& found)
      : noise_{noise}, fixed_{fixed}, scene_{scene}, found_{found} {}

  void write() {
    give_kind();
    excess_ = scene_.camera.kind == CameraKind::emccd ? 2 * scene_.camera.em_gain - 1 : 1;
    // Counts of pixels that are added after they were read: so many offsets and read noises
    const auto side = static_cast<double>(scene_.camera.binning);
    pixels_ = scene_.camera.adds_charge() ? 1 : side * side;
    give_spreads();
    if (grows_with_light(noise_))
      write_line();
    else
      write_flat();
    write_depth();
    write_full_well();
    found_.untold.emplace_back(
        "Images do not tell the quantum efficiency, the dark current and light that reaches the "
        "camera past the sample: the first stays as it is, the others are part of offset and "
        "background.");
  }

 private:
  /// A preset that is given tells all that images do not; its gain and offset are measured.
  [[nodiscard]] bool is_fixed(const std::string& name) const {
    const bool is_of_preset =
        name == "kind" || name.find("read_noise") == 0 || name.find("_spread") != std::string::npos;
    return fixed_.count("camera." + name) > 0 ||
           (is_of_preset && fixed_.count("camera.preset") > 0);
  }

  void give_number(const std::string& name, double value) {
    const simulator::SceneKey& key = *simulator::find_key("camera." + name);
    const simulator::Range range = *key.range;
    simulator::give(scene_, key, std::clamp(value, range.low, range.high));
  }

  void add(const std::string& key, const Bounds& bounds, const std::string& unit, Origin origin,
           std::string how) {
    found_.estimates.push_back(
        {key, {}, bounds.value, bounds.low, bounds.high, unit, origin, std::move(how)});
  }

  /// Gives a key that is free, and reports it; of one that is fixed only reports.
  void settle(const std::string& name, const Bounds& bounds, const std::string& unit, Origin origin,
              std::string how) {
    if (!is_fixed(name)) {
      give_number(name, bounds.value);
      add("camera." + name, bounds, unit, origin, std::move(how));
    } else {
      const double given = std::get<double>(simulator::find_key("camera." + name)->get(scene_));
      add("camera." + name, {given, given, given}, unit, Origin::given, "given");
    }
  }

  void give_kind() {
    if (is_fixed("kind")) return;
    if (scene_.given.count("camera.kind") > 0 || scene_.given.count("camera.preset") > 0) return;
    simulator::give(scene_, *simulator::find_key("camera.kind"), std::string{"scmos"});
    found_.untold.emplace_back(
        "One kind of camera cannot be told from another by its noise: scmos is assumed; of an "
        "EMCCD or a photon counter give camera.kind.");
  }

  /// Differences between pixels: those that were measured, else none, since the read noise then
  /// holds them.
  void give_spreads() {
    pattern_ = is_fixed("offset_spread_dn") ? std::pow(scene_.camera.offset_spread_dn, 2) : 0;
    const FixedPattern& pattern = noise_.pattern;
    if (noise_.is_of_differences && pattern.is_told && !is_fixed("offset_spread_dn")) {
      pattern_ = pattern.offsets;
      const double reach = kTwoSided * pattern.offsets_error;
      settle("offset_spread_dn",
             {std::sqrt(pattern_), std::sqrt(std::max(pattern_ - reach, 0.0)),
              std::sqrt(pattern_ + reach)},
             "DN", Origin::measured,
             "from the noise of planes beyond that of differences of planes, in the dark");
    } else if (!is_fixed("offset_spread_dn")) {
      give_number("offset_spread_dn", 0);
      found_.untold.emplace_back(
          noise_.is_of_differences
              ? "Planes with light at all frequencies do not tell a fixed pattern of offsets: the "
                "twin has none."
              : "A single plane does not tell a fixed pattern of offsets from read noise: the read "
                "noise of the twin holds both.");
    }
    if (!is_fixed("read_noise_spread")) give_number("read_noise_spread", 0);
    give_gain_spread();
  }

  void give_gain_spread() {
    const FixedPattern& pattern = noise_.pattern;
    const double reach = kTwoSided * pattern.gains_error;
    const Bounds bounds{std::sqrt(pattern.gains), std::sqrt(std::max(pattern.gains - reach, 0.0)),
                        std::sqrt(pattern.gains + reach)};
    const bool is_measured = pattern.is_told && pattern.gains > 2 * pattern.gains_error;
    settle("gain_spread", {std::min(bounds.value, kWidestSpread), bounds.low, bounds.high}, "",
           is_measured ? Origin::measured : Origin::assumed,
           is_measured ? "from the part of the noise that grows with the square of the light"
           : noise_.is_growth_shared ? "all growth of the noise is taken as that of the light"
           : pattern.is_told
               ? "the light is too little to tell it: 0.7 % is usual"
               : "planes with light at all frequencies do not tell it: 0.7 % is usual");
  }

  /// Offset and read noise are those of the sum of pixels that are binned after they were read.
  [[nodiscard]] double read_variance(double floor) const {
    return (floor - noise_.rounding - pattern_of_line()) / over_mean_square();
  }
  /// The mean square of read noise over the square of its mean.
  [[nodiscard]] double over_mean_square() const {
    return 1 + std::pow(scene_.camera.read_noise_spread, 2);
  }
  /// The pattern is not in a line of differences.
  [[nodiscard]] double pattern_of_line() const { return noise_.is_of_differences ? 0 : pattern_; }

  /// How far light in the band may have moved the zero-noise level up.
  [[nodiscard]] double level_slack() const {
    return noise_.band.may_hold_light
               ? kBoundSlack * std::max(noise_.dark_mean - noise_.line.zero, 0.0)
               : 0;
  }

  /// The largest variance of a pattern of offsets that may be part of the line.
  [[nodiscard]] double hidden_pattern() const {
    if (noise_.is_of_differences || is_fixed("offset_spread_dn") ||
        scene_.camera.kind != CameraKind::scmos)
      return 0;
    return pixels_ * std::pow(noise_.is_eight_bit ? kUsualPatternOfBytes : kUsualPattern, 2);
  }

  void write_line() {
    const NoiseLine& line = noise_.line;
    write_gain();
    Bounds zero = around(line.zero, line.zero_error);
    zero.low -= level_slack();
    add("zero-noise level", zero, "DN", Origin::measured,
        fmt::format("where the line of {} of {} {} would vanish",
                    noise_.is_of_differences && !is_of_blocks() ? "differences" : "the noise",
                    noise_.tiles, is_of_blocks() ? "blocks" : "tiles"));
    if (scene_.camera.kind == CameraKind::counting) return;
    if (is_fixed("read_noise_electrons"))
      write_offset_of(scene_.camera.read_noise_electrons);
    else if (is_fixed("offset_dn"))
      write_read_noise_of(scene_.camera.offset_dn);
    else
      write_both();
  }

  [[nodiscard]] bool is_of_blocks() const { return noise_.band.from == BandFrom::support_of_stack; }

  void write_gain() {
    const NoiseLine& line = noise_.line;
    Bounds slope = around(line.slope, line.slope_error);
    std::string how = fmt::format("from noise {} ({:.1f} % of the {}), {} {}", noise_.band.how(),
                                  100 * noise_.band.share, is_of_blocks() ? "waves" : "frequencies",
                                  noise_.tiles, is_of_blocks() ? "blocks" : "tiles");
    Origin origin = Origin::measured;
    if (noise_.band.may_hold_light) {
      const bool holds_light = noise_.band.fall > kFallOfLight;
      slope.low -= (holds_light ? 0.5 : kBoundSlack) * slope.value;
      if (holds_light) origin = Origin::assumed;
      how += "; the pixels are too coarse for a band without light, so that it is an upper bound";
    }
    if (!noise_.is_of_differences && line.spread > kMostSpread * kMostSpread) {
      slope.high = std::max(slope.high, noise_.straight_slope);
      found_.untold.push_back(fmt::format(
          "The noise grows faster than light, as with gains that differ by {:.1f} % from pixel to "
          "pixel, more than those of cameras do: structure of the sample may be part of it.",
          100 * std::sqrt(line.spread)));
    }
    if (noise_.is_growth_shared) {
      slope.low = 0;
      origin = Origin::assumed;
      how +=
          "; gains that differ, or structure, may be all of its growth, so that it is an upper "
          "bound";
    }
    slope.low = std::max(slope.low, 0.0);
    gain_ = {slope.value / excess_, slope.low / excess_, slope.high / excess_};
    if (excess_ > 1)
      found_.untold.push_back(
          fmt::format("Only the product of gain, multiplication and excess noise of an EMCCD is "
                      "told, {:.4g} DN "
                      "per electron: the gain follows from camera.em_gain = {:.4g}.",
                      slope.value, scene_.camera.em_gain));
    settle("gain_dn_per_electron", gain_, "DN per electron", origin, how);
    gain_.value = scene_.camera.gain_dn_per_electron;
  }

  void write_offset_of(double read_noise) {
    const double floor = pixels_ * std::pow(gain_.value * read_noise, 2) * over_mean_square() +
                         noise_.rounding + pattern_of_line();
    const double value = (noise_.line.zero + floor / noise_.line.slope) / pixels_;
    const double error =
        std::hypot(noise_.line.zero_error,
                   noise_.line.slope_error / noise_.line.slope * floor / noise_.line.slope) /
        pixels_;
    Bounds bounds = around(value, error);
    bounds.low -= level_slack() / pixels_;
    bounds.high += hidden_pattern() / noise_.line.slope / pixels_;
    settle("offset_dn", bounds, "DN", Origin::measured,
           "from the zero-noise level and the read noise that is given");
    settle("read_noise_electrons", {}, "electrons", Origin::given, "given");
  }

  void write_read_noise_of(double offset) {
    const NoiseLine& line = noise_.line;
    const double level = pixels_ * offset;
    const double variance = read_variance(line.slope * (level - line.zero)) / pixels_;
    const double error = line.floor_error(level) / pixels_;
    const auto electrons = [&](double v) { return std::sqrt(std::max(v, 0.0)) / gain_.value; };
    const double of_gain = kTwoSided * line.slope_error / line.slope * electrons(variance);
    const double low = electrons(variance - kTwoSided * error - hidden_pattern() / pixels_);
    const double high = electrons(variance + kTwoSided * error);
    settle("offset_dn", {}, "DN", Origin::given, "given");
    settle("read_noise_electrons",
           {electrons(variance),
            std::max(electrons(variance) - std::hypot(electrons(variance) - low, of_gain), 0.0),
            electrons(variance) + std::hypot(high - electrons(variance), of_gain)},
           "electrons", Origin::measured, "from the noise at the offset that is given");
  }

  /// Neither is known: read noise lies between 0 and what an offset as high as the darkest tile
  /// needs.
  void write_both() {
    const NoiseLine& line = noise_.line;
    const double brightest = noise_.dark_mean + kTwoSided * noise_.dark_mean_error;
    const double slack = kTwoSided * line.zero_error + level_slack();
    const double rounding_dn = noise_.rounding / line.slope;
    const auto read_noise_at = [&](double level) {
      return std::sqrt(std::max(read_variance(line.slope * (level - line.zero)), 0.0) / pixels_) /
             gain_.value;
    };
    const auto offset_of = [&](double read_noise) {
      const double floor = pixels_ * std::pow(gain_.value * read_noise, 2) * over_mean_square() +
                           noise_.rounding + pattern_of_line();
      return std::max((line.zero + floor / line.slope) / pixels_, 0.0);
    };
    Bounds offset, noise;
    noise.high =
        std::sqrt(std::max(read_variance(line.slope * (brightest - line.zero + slack)), 0.0) /
                  pixels_) /
        gain_.value;
    const double usual = scene_.camera.kind == CameraKind::scmos
                             ? kUsualReadNoise
                             : scene_.camera.read_noise_electrons;
    // No offset is below 0
    noise.low = read_noise_at(-slack);
    const double of_no_offset = read_noise_at(0);
    noise.value =
        std::clamp(usual, of_no_offset, std::max(read_noise_at(noise_.dark_mean), of_no_offset));
    const bool has_no_offset = of_no_offset > 0 && noise.value == of_no_offset;
    offset.value = has_no_offset ? 0 : offset_of(noise.value);
    offset.low = std::max((line.zero + rounding_dn - slack) / pixels_, 0.0);
    offset.high = std::max(brightest / pixels_, offset.value);
    settle("offset_dn", offset, "DN", Origin::assumed,
           "between the zero-noise level and the mean of the darkest tile");
    settle("read_noise_electrons", noise, "electrons", Origin::assumed,
           "between what an offset of 0 and one as high as the darkest tile need");
    found_.untold.emplace_back(
        "Offset and read noise cannot be told apart in images with light everywhere: give one of "
        "camera.offset_dn and camera.read_noise_electrons.");
  }

  /// Read noise hides that of the light: a gain so small that it stays hidden, also where the image
  /// is brightest.
  void write_flat() {
    const NoiseLine& line = noise_.line;
    const double as_strong = noise_.mean_variance / std::max(noise_.range, 1e-9) / excess_;
    const double most =
        std::max((line.slope + kTwoSided * line.slope_error) / excess_, 0.1 * as_strong);
    gain_ = {std::min(most / 4, 0.05 * as_strong), 0, most};
    settle("gain_dn_per_electron", gain_, "DN per electron", Origin::assumed,
           "the noise does not grow with the light: only an upper bound is told");
    gain_.value = scene_.camera.gain_dn_per_electron;
    const double deviation =
        std::sqrt(std::max(noise_.mean_variance - noise_.rounding - pattern_, 0.0) / pixels_);
    add("read noise", {deviation, 0.9 * deviation, 1.1 * deviation}, "DN", Origin::measured,
        "the noise, which does not grow with the light");
    const double dark = noise_.dark_mean / pixels_;
    // Black is usually 0 in images of 8 bits, and above it where a camera counts more levels
    settle("offset_dn", {bits() == 8 ? 0 : dark / 2, 0, dark}, "DN", Origin::assumed,
           "between 0 and the mean of the darkest tile");
    settle("read_noise_electrons",
           {deviation / gain_.value, deviation / gain_.high, deviation / gain_.value * 10},
           "electrons", Origin::assumed, "the read noise in DN over the gain that is assumed");
    found_.untold.push_back(fmt::format(
        "The noise does not grow with the light, so the gain is not told: read noise of {:.3g} DN "
        "covers the noise of the light.",
        deviation));
  }

  [[nodiscard]] int bits_of_file() const { return noise_.is_eight_bit ? 8 : 16; }

  /// Larger types often hold images of 8 bits, and those use most of their range, from black on.
  [[nodiscard]] int bits() const {
    const GreyLevels& levels = noise_.levels;
    const bool are_bytes = levels.bits() == 8 && levels.lowest < kBlackOfBytes;
    return levels.is_full_of_bits() || are_bytes ? levels.bits() : bits_of_file();
  }

  void write_depth() {
    if (is_fixed("bit_depth")) return;
    const GreyLevels& levels = noise_.levels;
    const int of_file = bits_of_file(), least = levels.bits();
    const bool is_told = levels.is_full_of_bits();
    simulator::give(scene_, *simulator::find_key("camera.bit_depth"), std::int64_t{bits()});
    const double high = is_told ? least : of_file;
    add("camera.bit_depth", {static_cast<double>(bits()), static_cast<double>(least), high}, "bits",
        is_told ? Origin::measured : Origin::assumed,
        is_told ? fmt::format("from voxels that are saturated at {}", levels.highest)
                : fmt::format("{}; the largest value is {}",
                              bits() < of_file ? "as few as hold all values" : "that of the file",
                              levels.highest));
  }

  /// A saturation below the largest count is that of the pixels; and what was recorded has room.
  void write_full_well() {
    const GreyLevels& levels = noise_.levels;
    if (is_fixed("full_well_electrons") || scene_.camera.kind == CameraKind::counting) return;
    const double dn_per_electron = gain_.value * scene_.camera.em_gain;
    const double electrons = (levels.highest - scene_.camera.offset_dn) / dn_per_electron;
    if (levels.is_saturated && !levels.is_full_of_bits()) {
      const double spread = gain_.low > 0 ? gain_.value / gain_.low : 2;
      settle("full_well_electrons", {electrons, electrons / spread, electrons * spread},
             "electrons", Origin::measured,
             fmt::format("from voxels that are saturated at {}", levels.highest));
    } else if (electrons > scene_.camera.full_well_electrons) {
      settle("full_well_electrons", {1.25 * electrons, electrons, 10 * electrons}, "electrons",
             Origin::assumed, "the brightest voxel needs that much at least");
    }
  }

  const CameraNoise& noise_;
  const std::set<std::string>& fixed_;
  simulator::SceneSpec& scene_;
  Findings& found_;
  Bounds gain_;
  double excess_ = 1, pixels_ = 1, pattern_ = 0;
};

}  // namespace

bool grows_with_light(const CameraNoise& noise) {
  const NoiseLine& line = noise.line;
  return line.rises() && line.slope * noise.range > kLeastGrowth * noise.mean_variance;
}

void estimate_camera(const CameraNoise& noise, const std::set<std::string>& fixed,
                     simulator::SceneSpec& scene, Findings& found) {
  CameraWriter{noise, fixed, scene, found}.write();
}

}  // namespace synthoscope::fit
