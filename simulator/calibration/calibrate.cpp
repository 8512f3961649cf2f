// SPDX-License-Identifier: MIT
#include "simulator/calibration/calibrate.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "simulator/calibration/pixel_figures.hpp"
#include "simulator/calibration/pixel_statistics.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kUsedShare = 0.7;  // of the saturation; EMVA 1288, section 6.7
constexpr double kPiledUp = 1e-3;   // share of counts at the largest number that means clipping
constexpr double kPile = 20;        // counts that small fields have there by chance
constexpr double kMinLight = 5;     // standard errors that the slope must have
constexpr double kBrightFlat = 20;  // times the noise of darks: brighter flats must show noise
constexpr double kDriftWorthSaying = 0.01;  // of the signal
constexpr double kLineWorthSaying = 0.02;   // of the variance
constexpr double kOneLevel = 1.25;          // ratio of brightest to dimmest light of one level

/// Checks, before a frame is read, that all stacks have one size of frame.
void require_one_field(const std::vector<NamedStack>& stacks, const Extent3& first) {
  for (const auto& stack : stacks)
    if (const Extent3 extent = stack.source->extent(); extent.y != first.y || extent.x != first.x)
      throw InvalidInput(
          fmt::format("calibrate: frames of {} are {}x{}, but frames of the first dark are {}x{}; "
                      "give stacks of one field",
                      stack.name, extent.y, extent.x, first.y, first.x));
}

Levels all_levels(const std::vector<NamedStack>& darks, const std::vector<NamedStack>& flats,
                  const RunContext& context) {
  Levels levels;
  for (const auto& dark : darks)
    levels.darks.push_back(survey_level(*dark.source, dark.name, context));
  for (const auto& flat : flats) {
    levels.flats.push_back(survey_level(*flat.source, flat.name, context));
    levels.flats.back().variance = {};  // the variance of a single flat is too uncertain
  }
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < darks.size(); ++i)
    if (darks[i].exposure_seconds.value_or(kUnknown) <
        darks[levels.reference].exposure_seconds.value_or(kUnknown))
      levels.reference = i;
  return levels;
}

bool is_noisier(const TransferPoint& flat, const StackLevel& dark) {
  return flat.variance_dn2 - dark.variance_dn2 >
         kMinLight * std::hypot(flat.error_dn2, dark.variance_error);
}

/// Records for each flat why it is left out, if it is. Returns where the camera saturates.
std::optional<double> leave_out_saturated(const Levels& levels, std::vector<TransferPoint>& flats) {
  const auto noisiest = std::max_element(
      flats.begin(), flats.end(),
      [](const auto& a, const auto& b) { return a.variance_dn2 < b.variance_dn2; });
  std::optional<double> saturation;
  for (std::size_t i = 0; i < flats.size(); ++i) {
    const StackLevel& level = levels.flats[i];
    const bool is_clipped =
        level.share_at_largest > kPiledUp &&
        level.share_at_largest * static_cast<double>(level.frames * level.pixels()) > kPile;
    const bool is_calm = flats[i].mean_dn > noisiest->mean_dn &&
                         flats[i].variance_dn2 < 0.8 * noisiest->variance_dn2;
    const bool is_silent =
        flats[i].signal_dn > kBrightFlat * std::sqrt(levels.dark().variance_dn2) &&
        !is_noisier(flats[i], levels.dark());
    if (is_calm) flats[i].left_out = "less noise than with less light";
    if (is_silent) flats[i].left_out = "no noise of light";
    if (is_clipped) flats[i].left_out = "counts pile up at the largest number";
    if (is_clipped || is_calm || is_silent)
      saturation = std::max(saturation.value_or(0), flats[i].mean_dn);
  }
  if (saturation)
    for (auto& flat : flats)
      if (flat.left_out.empty() &&
          flat.signal_dn > kUsedShare * (*saturation - levels.dark().mean_dn))
        flat.left_out = "above 70 % of the saturation";
  return saturation;
}

WeightedLine fitted(const std::vector<TransferPoint>& points) {
  std::vector<LinePoint> used;
  for (const auto& point : points)
    // If all frames are equal, only rounding limits how well the variance is known
    if (point.left_out.empty())
      used.push_back({point.signal_dn, point.variance_dn2, std::max(point.error_dn2, 1e-6)});
  return weighted_line(used);
}

TransferPoint point_of(const NamedStack& stack, const StackLevel& level, const StackLevel& dark) {
  return {.name = stack.name,
          .mean_dn = level.mean_dn,
          .signal_dn = level.mean_dn - dark.mean_dn,
          .variance_dn2 = level.variance_dn2,
          .error_dn2 = level.variance_error,
          .drift_dn = level.drift_dn};
}

/// Throws if darks were given as flats, or flats as darks.
void require_flats_brighter(const std::vector<TransferPoint>& flats, const NamedStack& dark,
                            const StackLevel& level) {
  for (const auto& flat : flats)
    if (flat.signal_dn < -std::sqrt(std::max(level.variance_dn2, 1.0)))
      throw InvalidInput(fmt::format(
          "calibrate: {}, a flat, has a mean of {:.4g} DN and is darker than {}, a dark, of {:.4g} "
          "DN; frames without light are darks, so swap them or give darks of the covered camera",
          flat.name, flat.mean_dn, dark.name, level.mean_dn));
}

void require_light(const std::vector<TransferPoint>& flats, const StackLevel& dark) {
  const TransferPoint* brightest = nullptr;
  for (const auto& flat : flats)
    if (flat.left_out.empty() && (!brightest || flat.signal_dn > brightest->signal_dn))
      brightest = &flat;
  if (!brightest)
    throw InvalidInput(
        fmt::format("calibrate: all flats saturate: {} at {:.4g} DN ({}); give flats of less light",
                    flats.front().name, flats.front().mean_dn, flats.front().left_out));
  if (brightest->signal_dn <= 0 || !is_noisier(*brightest, dark))
    throw InvalidInput(fmt::format(
        "calibrate: no flat is noticeably brighter than the darks: {} has a mean of {:.4g} DN and "
        "a variance of {:.4g} DN^2, the darks {:.4g} and {:.4g}; give flats of more light, or more "
        "frames",
        brightest->name, brightest->mean_dn, brightest->variance_dn2, dark.mean_dn,
        dark.variance_dn2));
}

/// Returns the largest relative deviation of the flats' means from rate x exposure; null with fewer
/// than three known exposures, or if all are equal.
std::optional<double> nonlinearity_of(const std::vector<NamedStack>& flats,
                                      const std::vector<TransferPoint>& points) {
  std::vector<LinePoint> line;
  for (std::size_t i = 0; i < flats.size(); ++i)
    if (points[i].left_out.empty() && flats[i].exposure_seconds)
      line.push_back({*flats[i].exposure_seconds, points[i].signal_dn, points[i].signal_dn});
  const bool differ = std::any_of(
      line.begin(), line.end(), [&](const LinePoint& point) { return point.x != line.front().x; });
  if (line.size() < 3 || !differ) return std::nullopt;
  const WeightedLine fit = weighted_line(line);
  double worst = 0;
  for (const auto& point : line)
    worst = std::max(worst, std::abs(point.y - fit.at(point.x)) / point.y);
  return worst;
}

int bits_of(const Levels& levels, const CalibrationRequest& request, PixelType type) {
  if (request.bit_depth) return *request.bit_depth;
  if (size_of(type) == 1) return 8;
  // Counts that pile up at 2^bits - 1 show where the range ends
  for (const auto& flat : levels.flats)
    for (int bits = 8; bits < 16; ++bits)
      if (flat.share_at_largest > kPiledUp && flat.largest == std::pow(2, bits) - 1) return bits;
  return 16;
}

/// Returns a sentence about flats of one level of light, which cannot show whether noise and light
/// lie on a line; empty if there are several levels.
std::string one_level_warning(const std::vector<TransferPoint>& points, std::size_t darks) {
  double dimmest = 0, brightest = 0;
  for (std::size_t i = darks; i < points.size(); ++i) {
    if (!points[i].left_out.empty()) continue;
    brightest = std::max(brightest, points[i].signal_dn);
    dimmest = dimmest > 0 ? std::min(dimmest, points[i].signal_dn) : points[i].signal_dn;
  }
  if (brightest > kOneLevel * dimmest) return {};
  return fmt::format(
      "all flats that are used have the same level of light, {:.4g} DN above the darks, so the "
      "gain depends on a single point and nothing shows whether the camera is linear; give flats "
      "at several levels up to saturation",
      brightest);
}

/// Returns a sentence about read noise that rounding hides; empty if it was measured. Rounding has
/// the variance of a uniform error, step^2 / 12, only if the noise is at least about a quarter of a
/// step.
std::string hidden_noise_warning(const Calibration& found) {
  const double step_dn = static_cast<double>(found.step_dn), gain = found.gain.value;
  constexpr double kHidden = 0.25;
  if (found.read_noise.value * gain >= kHidden * step_dn) return {};
  return fmt::format(
      "read noise below {:.2g} electrons, a quarter of the step between counts, is hidden by the "
      "rounding, so it may be anything up to that; calibrate with a higher gain in counts per "
      "electron",
      kHidden * step_dn / gain);
}

void warn(Calibration& found, const Levels& levels) {
  const auto say = [&](std::string text) { found.warnings.push_back(std::move(text)); };
  if (found.step_dn > 1)
    say(fmt::format(
        "all counts differ by multiples of {} DN, as counts of fewer bits do in the upper bits of "
        "16; the noise of this rounding was subtracted, but detect would also produce the counts "
        "in between; divide the stacks by {} to describe a camera of fewer bits",
        found.step_dn, found.step_dn));
  if (auto text = one_level_warning(found.points, levels.darks.size()); !text.empty())
    say(std::move(text));
  for (const auto& point : found.points) {
    if (point.signal_dn > 0 && point.drift_dn > kDriftWorthSaying * point.signal_dn &&
        point.signal_dn > levels.dark().mean_dn * kDriftWorthSaying && point.left_out.empty())
      say(
          fmt::format("the light of {} drifts by {:.2g} % of its signal between frames; the drift "
                      "was subtracted, but a steadier lamp is better",
                      point.name, 100 * point.drift_dn / point.signal_dn));
    if (point.left_out.empty() &&
        std::abs(point.off_line) > kLineWorthSaying + 5 * point.error_dn2 / point.variance_dn2)
      say(
          fmt::format("the variance of {} lies {:.2g} % off the line; the camera is not linear "
                      "there, or corrects its counts",
                      point.name, 100 * point.off_line));
  }
  if (levels.dark().share_at_zero > kPiledUp)
    say(
        fmt::format("{:.2g} % of the counts of the darks are 0: the offset is too small for the "
                    "read noise, and both come out wrong",
                    100 * levels.dark().share_at_zero));
  const auto say_of_pixels = [&](std::int64_t pixels, std::string_view what) {
    if (pixels > 0) say(fmt::format("{} pixel{} {}", pixels, pixels == 1 ? "" : "s", what));
  };
  say_of_pixels(found.dead_pixels,
                "responded to light with less than half of the mean (dead pixels)");
  say_of_pixels(found.noisy_pixels,
                "had much more noise than the others and were left out of the read noise and its "
                "spread; --maps shows them");
  say_of_pixels(found.hot_pixels,
                "had a much higher dark current than the others (hot pixels) and were left out of "
                "its mean; --maps shows them");
  if (auto text = hidden_noise_warning(found); !text.empty()) say(std::move(text));
}

/// Fills in the figures of `found.camera` from what was measured.
void fill_camera(Calibration& found, const Levels& levels, const std::vector<NamedStack>& darks,
                 const std::vector<NamedStack>& flats, const CalibrationRequest& request,
                 const Bulk& noise, const Bulk& dark_current) {
  CameraSpec& camera = found.camera;
  camera = typical_camera(request.kind);
  if (request.quantum_efficiency) camera.quantum_efficiency = *request.quantum_efficiency;
  camera.em_gain = request.em_gain.value_or(1);
  camera.clock_induced_charge_electrons = 0;
  camera.dark_current_electrons_per_second =
      found.dark_current ? std::max(found.dark_current->value, 0.0) : 0;
  if (dark_current.mean > 0)
    camera.dark_current_spread = std::min(dark_current.spread / dark_current.mean, 1.0);
  // A bias frame, of 0 s, is not an exposure for images
  for (const auto& seconds :
       {darks[levels.reference].exposure_seconds, flats.front().exposure_seconds})
    if (seconds.value_or(0) > 0) camera.exposure_seconds = *seconds;
  camera.gain_dn_per_electron = found.gain.value;
  camera.gain_spread = std::min(found.response_spread, 1.0);
  camera.dead_pixels =
      static_cast<double>(found.dead_pixels) / static_cast<double>(levels.dark().pixels());
  camera.read_noise_electrons = found.read_noise.value;
  camera.read_noise_spread = noise.mean > 0 ? std::min(noise.spread / noise.mean, 1.0) : 0;
  camera.offset_dn = std::clamp(found.offset.value, 0.0, 65535.0);
  camera.offset_spread_dn = found.offset_spread_dn;
  camera.bit_depth = bits_of(levels, request, flats.front().source->pixel_type());

  // Charge at which counts end: of the register if there is one, otherwise of the pixel
  const double last = found.saturation_dn.value_or(std::pow(2, camera.bit_depth) - 1);
  const double most = std::max((last - camera.offset_dn) / camera.gain_dn_per_electron, 1.0);
  if (request.kind == CameraKind::scmos)
    camera.full_well_electrons = most;
  else
    camera.register_full_well_electrons = most;
  if (request.kind == CameraKind::ccd) camera.full_well_electrons = most;
}

void require_answerable(const std::vector<NamedStack>& darks, const std::vector<NamedStack>& flats,
                        const CalibrationRequest& request) {
  if (darks.empty() || flats.empty())
    throw InvalidInput(
        "calibrate: stacks of darks and of flats are needed, at least one of each; give both");
  if (request.kind == CameraKind::counting)
    throw InvalidSpec(
        "calibrate: a camera that counts photons has no gain to measure; its counts are photons");
  if (request.kind == CameraKind::emccd && !request.em_gain)
    throw InvalidSpec(
        "calibrate: the slope of an EMCCD is gain x multiplication x excess noise, K g F^2, which "
        "frames of one multiplication cannot separate; give the multiplication with --em-gain");
  if (request.kind != CameraKind::emccd && request.em_gain.value_or(1) != 1)
    throw InvalidSpec("calibrate: --em-gain is for cameras of --kind emccd; leave it out");
  const auto require_range = [](std::string_view option, std::optional<double> value, double low,
                                double high) {
    if (value && !(*value > 0 && *value >= low && *value <= high))
      throw InvalidSpec(fmt::format("calibrate: --{} is {}; give {} {} up to {}", option, *value,
                                    low > 0 ? "from" : "above", low, high));
  };
  require_range("em-gain", request.em_gain, 1, 1e4);
  require_range("quantum-efficiency", request.quantum_efficiency, 0, 1);
  require_range("bit-depth", request.bit_depth, 1, 16);
  for (const auto& flat : flats)
    if (flat.exposure_seconds && !(*flat.exposure_seconds > 0))
      throw InvalidSpec(
          fmt::format("calibrate: --flat-exposures gives {} s for {}; a flat must be exposed for "
                      "longer than 0 s",
                      *flat.exposure_seconds, flat.name));
}

}  // namespace

std::int64_t calibration_bytes(std::int64_t pixels, std::int64_t flats) {
  // Flats keep means, darks a variance too (counted as flats are read), maps and sums of pixels
  constexpr std::int64_t kMaps = 5 * sizeof(float) + 3 * sizeof(double);
  return pixels * (flats * std::int64_t{sizeof(float)} + kMaps) + level_working_bytes(pixels);
}

Calibration calibrate(const std::vector<NamedStack>& darks, const std::vector<NamedStack>& flats,
                      const CalibrationRequest& request, const RunContext& context) {
  require_answerable(darks, flats, request);
  const Extent3 extent = darks.front().source->extent();
  for (const auto* stacks : {&darks, &flats}) require_one_field(*stacks, extent);
  const std::int64_t pixels = extent.y * extent.x;
  const auto held = context.memory.reserve(
      calibration_bytes(pixels, std::ssize(flats)) + std::ssize(darks) * level_bytes(pixels),
      "maps of the camera");

  // Measure every level, and what pixels show without light
  const Levels levels = all_levels(darks, flats, context);
  const StackLevel& reference = levels.dark();
  const DarkSignal dark = dark_signal(darks, levels);

  // Put the levels that do not saturate on one line
  Calibration found;
  found.step_dn = levels.step();
  std::vector<TransferPoint> lit;
  for (std::size_t i = 0; i < darks.size(); ++i)
    found.points.push_back(point_of(darks[i], levels.darks[i], reference));
  for (std::size_t i = 0; i < flats.size(); ++i)
    lit.push_back(point_of(flats[i], levels.flats[i], reference));
  require_flats_brighter(lit, darks[levels.reference], reference);
  found.saturation_dn = leave_out_saturated(levels, lit);
  require_light(lit, reference);
  found.points.insert(found.points.end(), lit.begin(), lit.end());
  found.line = fitted(found.points);
  for (auto& point : found.points)
    point.off_line = point.variance_dn2 / found.line.at(point.signal_dn) - 1;

  // Read the figures off the line
  const double em_gain = request.em_gain.value_or(1), amplified = em_gain * (2 - 1 / em_gain);
  found.gain = {found.line.slope / amplified, found.line.slope_error / amplified};
  const auto known = known_variances(levels, dark, found.line.slope);
  const Bulk noise = noise_over_pixels(reference.variance, reference.pairs, known);
  const double gain = found.gain.value, read_dn2 = noise.mean * noise.mean;
  found.read_noise = {noise.mean / gain,
                      std::hypot(reference.variance_error / (2 * std::max(noise.mean, 0.1) * gain),
                                 std::sqrt(read_dn2) / gain * found.gain.error / gain)};
  const auto frames = static_cast<double>(reference.frames);
  const double of_mean = reference.variance_dn2 / (frames * static_cast<double>(pixels));
  found.noisy_pixels = noise.outlying;
  const Bulk offsets = bulk_of(dark.offset, reference.variance_dn2 / frames);
  found.offset = {offsets.mean, std::sqrt(of_mean)};
  found.offset_spread_dn = offsets.spread;
  Bulk dark_current;
  if (!dark.per_second.empty()) {
    dark_current = bulk_of(dark.per_second, dark.per_second_noise);
    found.hot_pixels = dark_current.outlying;
    found.dark_current =
        Measured{dark_current.mean / (gain * em_gain),
                 std::sqrt(dark.per_second_noise / static_cast<double>(pixels)) / (gain * em_gain)};
  }

  // Measure every pixel
  const Responses answers = responses(levels, dark, flats, lit);
  found.response_spread = bulk_of(answers.over_mean, answers.noise).spread;
  found.dead_pixels = std::count_if(answers.over_mean.begin(), answers.over_mean.end(),
                                    [](float answer) { return answer < 0.5F; });
  found.nonlinearity = nonlinearity_of(flats, lit);
  fill_camera(found, levels, darks, flats, request, noise, dark_current);
  found.maps = maps_of(found, levels, dark, known, answers);
  require_valid(found.camera);
  warn(found, levels);
  return found;
}

}  // namespace synthoscope::simulator
