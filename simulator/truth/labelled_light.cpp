// SPDX-License-Identifier: MIT
#include "simulator/truth/labelled_light.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/truth/labelled_rows.hpp"
#include "simulator/truth/median.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kLargestDose = 1e6, kSaturatedAllowed = 0.01;

/// Returns a random number for a voxel, by the finalizer of MurmurHash3.
/// @source Appleby, MurmurHash3, public domain.
std::uint32_t draw_of(std::uint64_t voxel) {
  voxel = (voxel + 1) * 0x9E3779B97F4A7C15u;
  voxel = (voxel ^ voxel >> 33) * 0xFF51AFD7ED558CCDu;
  voxel = (voxel ^ voxel >> 33) * 0xC4CEB9FE1A85EC53u;
  return static_cast<std::uint32_t>(voxel >> 32);
}

bool is_kept(std::uint32_t draw, int halvings) {
  return std::uint64_t{draw} < std::uint64_t{1} << (32 - halvings);
}

/// Rounds to four digits, which no transform changes.
double in_four_digits(double number) {
  return std::stod(fmt::format("{:.4g}", number));
}

/// The doses at which few enough voxels saturate.
class AllowedDoses {
 public:
  AllowedDoses(const LabelledLight& light, TaskPool& pool) : light_{light}, pool_{pool} {}

  /// Returns one that is at most `kStep` times too low.
  [[nodiscard]] double high() const {
    double dose = 1;
    if (!allows(dose)) {
      while (!allows(dose)) dose /= kStep;
      return dose;
    }
    while (dose < kLargestDose && allows(kStep * dose)) dose *= kStep;
    return std::min(dose, kLargestDose);
  }
  /// Returns the highest one. @param high  as high() returns it
  [[nodiscard]] double highest(double high) const {
    if (high == kLargestDose) return high;
    double low = high, above = std::min(kStep * high, kLargestDose);
    while (above > 1.0001 * low) {
      const double middle = std::sqrt(low * above);
      (allows(middle) ? low : above) = middle;
    }
    return low;
  }

 private:
  static constexpr double kStep = 4;
  [[nodiscard]] bool allows(double dose) const {
    return light_.saturated_part(dose, pool_) <= kSaturatedAllowed;
  }
  const LabelledLight& light_;
  TaskPool& pool_;
};

/// Returns the dose of a ratio that is below the ratio at `high`.
double solved_dose(const LabelledLight& light, double snr, double high, TaskPool& pool) {
  constexpr double kTolerance = 1e-5;
  const auto excess = [&](double log_dose) {
    return std::log(*light.median_snr(std::exp(log_dose), pool) / snr);
  };
  double low = high;
  while (*light.median_snr(low, pool) >= snr) low /= 256;
  std::uintmax_t steps = 60;
  const auto [left, right] = boost::math::tools::toms748_solve(
      excess, std::log(low), std::log(high), [](double a, double b) { return b - a < kTolerance; },
      steps);
  return in_four_digits(std::exp((left + right) / 2));
}

}  // namespace

std::int64_t LabelledLight::most_kept(std::int64_t objects, std::int64_t bin) {
  constexpr std::int64_t kVoxels = std::int64_t{1} << 19, kLeast = 32;
  return std::max(kLeast, kVoxels / (std::max<std::int64_t>(1, objects) * bin * bin));
}

std::int64_t LabelledLight::bytes(std::int64_t objects, std::int64_t bin) {
  const std::int64_t voxel = sizeof(std::int64_t) + sizeof(std::uint32_t) +
                             static_cast<std::int64_t>(sizeof(float)) * bin * bin;
  return objects * (std::int64_t{sizeof(Object)} + (most_kept(objects, bin) + 1) * voxel);
}

std::int64_t LabelledLight::working_bytes(const Extent3& sensor, std::int64_t bin, int threads) {
  return std::int64_t{kPossibleLabels * sizeof(std::int32_t)} +
         threads * LabelledRows::bytes(sensor, bin);
}

LabelledLight::LabelledLight(const ImageNoise& noise, std::int64_t objects, MemoryBudget& memory)
    : noise_{&noise},
      bin_{noise.camera.exposure().binning},
      most_kept_{most_kept(objects, bin_)},
      counted_{memory.reserve(bytes(objects, bin_), "light of objects")} {}

void LabelledLight::halve(Object& object) const {
  ++object.halvings;
  const auto pixels = static_cast<std::size_t>(bin_ * bin_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < object.places.size(); ++i) {
    if (!is_kept(object.draws[i], object.halvings)) continue;
    object.places[kept] = object.places[i];
    object.draws[kept] = object.draws[i];
    std::copy_n(object.photons.begin() + static_cast<std::ptrdiff_t>(i * pixels), pixels,
                object.photons.begin() + static_cast<std::ptrdiff_t>(kept * pixels));
    ++kept;
  }
  object.places.resize(kept);
  object.draws.resize(kept);
  object.photons.resize(kept * pixels);
}

void LabelledLight::keep(Object& object, std::int64_t place, std::uint32_t draw,
                         const PhotonPointer& photons) {
  ++object.voxels;
  if (!is_kept(draw, object.halvings)) return;
  object.places.push_back(place);
  object.draws.push_back(draw);
  for (std::int64_t row = 0; row < bin_; ++row)
    object.photons.insert(object.photons.end(), photons.first + row * photons.row,
                          photons.first + row * photons.row + bin_);
  while (std::ssize(object.places) > most_kept_) halve(object);
}

void LabelledLight::add(Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
                        Background background, const RunContext& context) {
  const Extent3 e = photons.extent();
  width_ = e.x;
  height_ = e.y;
  const std::size_t first_object = objects_.size();
  objects_.resize(first_object + labels.size());
  for (std::size_t i = first_object; i < objects_.size(); ++i)
    objects_[i].frame = std::ssize(backgrounds_);
  backgrounds_.push_back(std::move(background));
  std::vector<std::int32_t> object_of(kPossibleLabels, -1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    object_of[labels[i]] = static_cast<std::int32_t>(first_object + i);
  const auto look = [&](std::int64_t z, std::int64_t first, std::int64_t rows,
                        const LabelledRows& band) {
    const std::uint16_t* const end = band.labels() + rows * e.x;
    if (std::find_if(band.labels(), end, [](auto label) { return label != 0; }) == end) return;
    const std::scoped_lock lock{mutex_};
    for (std::int64_t i = 0; i < rows * e.x; ++i) {
      const std::int32_t object = object_of[band.labels()[i]];
      if (object < 0) continue;
      const std::int64_t row = i / e.x, column = i % e.x;
      const std::int64_t first_row = row - row % bin_, first_column = column - column % bin_;
      keep(objects_[static_cast<std::size_t>(object)],
           (z * e.y + first + first_row) * e.x + first_column,
           draw_of(static_cast<std::uint64_t>((z * e.y + first + row) * e.x + column)),
           {band.photons() + first_row * e.x + first_column, e.x});
    }
  };
  for_each_band(photons, ids, bin_, context, look);
}

double LabelledLight::snr_of(const Object& object, double dose) const {
  constexpr double kUnit = 0x1p-20;  // whole multiples of it have the same sum in any order
  PixelSignal signal{*noise_};
  std::int64_t units = 0;
  for (std::size_t i = 0; i < object.places.size(); ++i) {
    const float* photons = object.photons.data() + static_cast<std::int64_t>(i) * bin_ * bin_;
    const double ratio =
        signal.ratio(index_of(object.places[i]),
                     backgrounds_[static_cast<std::size_t>(object.frame)], {photons, bin_}, dose);
    units += std::llround(ratio / kUnit);
  }
  return static_cast<double>(units) * kUnit / static_cast<double>(object.places.size());
}

std::optional<double> LabelledLight::median_snr(double dose, TaskPool& pool) const {
  std::vector<double> ratios(objects_.size());
  pool.for_each(std::ssize(objects_), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    ratios[at] = snr_of(objects_[at], dose);  // NaN without a voxel
  });
  return median_of_known(std::move(ratios));
}

double LabelledLight::saturated_part(double dose, TaskPool& pool) const {
  std::vector<double> saturated(objects_.size());
  pool.for_each(std::ssize(objects_), [&](std::int64_t number) {
    const auto at = static_cast<std::size_t>(number);
    const Object& object = objects_[at];
    if (object.places.empty()) return;
    PixelSignal signal{*noise_};
    std::int64_t beyond = 0;
    for (std::size_t i = 0; i < object.places.size(); ++i) {
      const float* photons = object.photons.data() + static_cast<std::int64_t>(i) * bin_ * bin_;
      const auto [z, y, x] = index_of(object.places[i]);
      beyond += signal.range_used(y, x, {photons, bin_}, dose) > 1;
    }
    saturated[at] = static_cast<double>(object.voxels) * static_cast<double>(beyond) /
                    static_cast<double>(object.places.size());
  });
  double all = 0, voxels = 0;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    all += saturated[i];
    voxels += static_cast<double>(objects_[i].voxels);
  }
  return voxels > 0 ? all / voxels : 0;
}

double dose_for_snr(const LabelledLight& light, double snr, TaskPool& pool) {
  const auto refused = [&](const std::string& why) {
    return InvalidSpec(fmt::format("find the dose for illumination.snr = {}: {}", snr, why));
  };
  const AllowedDoses doses{light, pool};
  double high = doses.high();
  auto reached = light.median_snr(high, pool);
  if (!reached) throw refused("no object has a voxel in the grid; place objects inside it");
  if (!(*reached > 0))
    throw refused("the median object is dark; give light to it, or a dose instead of snr");
  if (*reached <= snr) {
    high = doses.highest(high);
    reached = light.median_snr(high, pool);
  }
  if (*reached > snr) return solved_dose(light, snr, high, pool);
  const bool saturates = high < kLargestDose;
  throw refused(fmt::format(
      "the largest possible is {:.2f}, {}; give less, or a camera {}", *reached,
      saturates ? "where 1 % of the voxels of objects reach the full well or the largest count"
                : "at a dose of 1e6",
      saturates ? "that holds more electrons or has a lower gain" : "with less noise"));
}

}  // namespace synthoscope::simulator
