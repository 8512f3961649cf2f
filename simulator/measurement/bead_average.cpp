// SPDX-License-Identifier: MIT
#include "simulator/measurement/bead_average.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include "core/base/error.hpp"
#include "core/math/linear_system.hpp"
#include "core/volume/box.hpp"
#include "simulator/measurement/gaussian_fit.hpp"
#include "simulator/measurement/sinc_lines.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {
namespace {

/// A bead in its window, moved to the middle, without background.
struct CutOut {
  Volume<float> voxels;
  double scale = 1;  ///< its light, relative to a mean of peak 1
  bool is_used = true;
};

/// Returns the voxels of a window whose middle is at `centre`, which may lie between voxels: passes
/// along x, y and z.
Volume<float> cut_out(const Volume<float>& stack, const VoxelPosition& centre,
                      const Extent3& window) {
  const auto first = [](double middle, std::int64_t count) {
    return SincTaps{middle - static_cast<double>(count / 2)};
  };
  const SincTaps z = first(centre.z, window.z), y = first(centre.y, window.y),
                 x = first(centre.x, window.x);
  const std::int64_t taps = stack.extent.z == 1 ? 1 : SincTaps::kCount;
  const auto inside = [](std::int64_t i, std::int64_t count) {
    return std::clamp(i, std::int64_t{0}, count - 1);
  };
  const Extent3 wide{window.z + taps - 1, window.y + SincTaps::kCount - 1, window.x};
  Volume<float> along_x{wide}, along_y{{wide.z, window.y, window.x}}, result{window};
  for (std::int64_t k = 0; k < wide.z; ++k)
    for (std::int64_t j = 0; j < wide.y; ++j) {
      const float* const row = stack.view().row(taps == 1 ? 0 : inside(z.first + k, stack.extent.z),
                                                inside(y.first + j, stack.extent.y));
      for (std::int64_t i = 0; i < window.x; ++i) {
        double sum = 0;
        for (std::int64_t t = 0; t < SincTaps::kCount; ++t)
          sum += x.weights[static_cast<std::size_t>(t)] *
                 static_cast<double>(row[inside(x.first + i + t, stack.extent.x)]);
        along_x.view()(k, j, i) = static_cast<float>(sum);
      }
    }
  for (std::int64_t k = 0; k < wide.z; ++k)
    for (std::int64_t j = 0; j < window.y; ++j)
      for (std::int64_t i = 0; i < window.x; ++i) {
        double sum = 0;
        for (std::int64_t t = 0; t < SincTaps::kCount; ++t)
          sum += y.weights[static_cast<std::size_t>(t)] *
                 static_cast<double>(along_x.view()(k, j + t, i));
        along_y.view()(k, j, i) = static_cast<float>(sum);
      }
  for (std::int64_t k = 0; k < window.z; ++k)
    for (std::int64_t j = 0; j < window.y; ++j)
      for (std::int64_t i = 0; i < window.x; ++i) {
        double sum = taps == 1 ? static_cast<double>(along_y.view()(k, j, i)) : 0;
        for (std::int64_t t = 0; taps > 1 && t < taps; ++t)
          sum += z.weights[static_cast<std::size_t>(t)] *
                 static_cast<double>(along_y.view()(k + t, j, i));
        result.view()(k, j, i) = static_cast<float>(sum);
      }
  return result;
}

/// Subtracts the median of the window's sides in its middle planes: in planes out of focus the
/// bead's own light reaches them.
void take_background_off(Volume<float>& window) {
  const Extent3& e = window.extent;
  std::vector<float> sides;
  for (std::int64_t z = e.z / 3; z < e.z - e.z / 3; ++z) {
    for (std::int64_t x = 0; x < e.x; ++x)
      for (const std::int64_t y : {std::int64_t{0}, e.y - 1})
        sides.push_back(window.view()(z, y, x));
    for (std::int64_t y = 1; y < e.y - 1; ++y)
      for (const std::int64_t x : {std::int64_t{0}, e.x - 1})
        sides.push_back(window.view()(z, y, x));
  }
  const auto middle = sides.begin() + std::ssize(sides) / 2;
  std::nth_element(sides.begin(), middle, sides.end());
  for (float& value : window.voxels) value -= *middle;
}

/// The voxels of a window within 1.5 widths of its middle, along each axis.
Box3 core_of(const FoundBeads& beads, const VoxelSize& pitch) {
  const AlongAxes um = pitches_of(pitch);
  const auto part = [&](std::int64_t count, std::size_t axis) {
    const auto half = std::min(
        count / 2,
        std::max<std::int64_t>(1, std::llround(1.5 * beads.median_fwhm_um[axis] / um[axis])));
    return std::pair{count / 2 - half, 2 * half + 1};
  };
  const auto z = part(beads.window.z, 0), y = part(beads.window.y, 1), x = part(beads.window.x, 2);
  return {{z.first, y.first, x.first}, {z.second, y.second, x.second}};
}

template <class Look>
void for_each_in(const Box3& box, Look&& look) {
  for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
    for (std::int64_t y = box.origin.y; y < box.origin.y + box.size.y; ++y)
      for (std::int64_t x = box.origin.x; x < box.origin.x + box.size.x; ++x) look(Index3{z, y, x});
}

double value_of(const Volume<float>& voxels, std::int64_t z, std::int64_t y, std::int64_t x) {
  const Extent3& e = voxels.extent;
  return static_cast<double>(voxels.view()(std::clamp(z, std::int64_t{0}, e.z - 1),
                                           std::clamp(y, std::int64_t{0}, e.y - 1),
                                           std::clamp(x, std::int64_t{0}, e.x - 1)));
}

/// Returns the scale that makes the mean fit a bead best.
double scale_of(const CutOut& bead, const Volume<float>& mean, const Box3& core) {
  double product = 0, square = 0;
  for_each_in(core, [&](const Index3& i) {
    const double one = value_of(mean, i.z, i.y, i.x);
    product += one * value_of(bead.voxels, i.z, i.y, i.x);
    square += one * one;
  });
  return product / square;
}

/// Returns how far a bead lies from the middle of the mean, in voxels: the first step of Gauss and
/// Newton for the least squares of their difference.
VoxelPosition displacement_of(const CutOut& bead, const Volume<float>& mean, const Box3& core) {
  const bool is_flat = mean.extent.z == 1;
  const std::size_t axes = is_flat ? 2 : 3;
  std::vector<std::vector<double>> rows(axes, std::vector<double>(axes + 1));
  for_each_in(core, [&](const Index3& i) {
    std::vector<double> slope{
        (value_of(mean, i.z, i.y + 1, i.x) - value_of(mean, i.z, i.y - 1, i.x)) / 2,
        (value_of(mean, i.z, i.y, i.x + 1) - value_of(mean, i.z, i.y, i.x - 1)) / 2,
        (value_of(mean, i.z + 1, i.y, i.x) - value_of(mean, i.z - 1, i.y, i.x)) / 2};
    const double off =
        value_of(bead.voxels, i.z, i.y, i.x) / bead.scale - value_of(mean, i.z, i.y, i.x);
    for (std::size_t a = 0; a < axes; ++a) {
      for (std::size_t b = 0; b < axes; ++b) rows[a][b] += slope[a] * slope[b];
      rows[a][axes] -= slope[a] * off;
    }
  });
  if (!solve_linear(rows)) return {};
  const auto step = [&](std::size_t axis) { return std::clamp(rows[axis][axes], -0.5, 0.5); };
  return {is_flat ? 0 : step(2), step(0), step(1)};
}

Volume<float> mean_of(const std::vector<CutOut>& beads, const Extent3& window) {
  Volume<float> mean{window};
  double light = 0;
  std::vector<double> sum(mean.voxels.size());
  for (const CutOut& bead : beads) {
    if (!bead.is_used) continue;
    light += bead.scale;
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += static_cast<double>(bead.voxels.voxels[i]);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) mean.voxels[i] = static_cast<float>(sum[i] / light);
  return mean;
}

/// Returns the largest difference between a bead and the mean, of means over 3 x 3 x 3 voxels.
double largest_difference(const CutOut& bead, const Volume<float>& mean) {
  const Extent3& e = mean.extent;
  double largest = 0;
  for_each_in({{0, 0, 0}, e}, [&](const Index3& i) {
    double sum = 0;
    int count = 0;
    for (std::int64_t z = i.z - 1; z <= i.z + 1; ++z)
      for (std::int64_t y = i.y - 1; y <= i.y + 1; ++y)
        for (std::int64_t x = i.x - 1; x <= i.x + 1; ++x) {
          if (z < 0 || y < 0 || x < 0 || z >= e.z || y >= e.y || x >= e.x) continue;
          sum += value_of(bead.voxels, z, y, x) / bead.scale - value_of(mean, z, y, x);
          ++count;
        }
    largest = std::max(largest, std::abs(sum / count));
  });
  return largest;
}

[[noreturn]] void refuse_all(const FoundBeads& beads) {
  std::map<std::string, int> reasons;
  for (const ImagedBead& bead : beads.beads) {
    const bool is_touching = bead.refused.starts_with("touches");
    const bool is_unlike = bead.refused.find("as wide") != std::string::npos;
    ++reasons[is_touching ? "touch others" : is_unlike ? "have other widths" : bead.refused];
  }
  std::string all;
  for (const auto& [reason, count] : reasons)
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", reason, count);
  throw InvalidInput(
      fmt::format("average beads: none of {} beads can be used: {}; give a stack with beads "
                  "farther apart, or a "
                  "smaller --size",
                  beads.beads.size(), all));
}

/// Aligns beads with their mean.
class Alignment {
 public:
  Alignment(const Volume<float>& stack, FoundBeads& beads, const VoxelSize& pitch,
            const RunContext& context)
      : stack_{stack}, beads_{beads}, core_{core_of(beads, pitch)}, context_{context} {
    for (std::size_t i = 0; i < beads.beads.size(); ++i)
      if (beads.beads[i].refused.empty()) places_.push_back(i);
    if (places_.empty()) refuse_all(beads);
    cuts_.resize(places_.size());
  }

  /// Cuts all beads out at their centres, and averages them.
  void average() {
    context_.pool.for_each(std::ssize(places_), [&](std::int64_t i) {
      CutOut& cut = cuts_[static_cast<std::size_t>(i)];
      const ImagedBead& bead = beads_.beads[places_[static_cast<std::size_t>(i)]];
      cut.voxels = cut_out(stack_, bead.centre, beads_.window);
      take_background_off(cut.voxels);
      cut.scale = mean_.voxels.empty() ? bead.peak : scale_of(cut, mean_, core_);
      if (!(cut.scale > 0)) cut.scale = bead.peak;
    });
    mean_ = mean_of(cuts_, beads_.window);
  }

  void refine_centres() {
    context_.pool.for_each(std::ssize(places_), [&](std::int64_t i) {
      const auto step = displacement_of(cuts_[static_cast<std::size_t>(i)], mean_, core_);
      move(places_[static_cast<std::size_t>(i)], step);
    });
  }

  /// Moves all centres so that the top of the mean is in the middle.
  void centre_mean(const VoxelPosition& top) {
    const Extent3& e = mean_.extent;
    const VoxelPosition off{top.z - static_cast<double>(e.z / 2),
                            top.y - static_cast<double>(e.y / 2),
                            top.x - static_cast<double>(e.x / 2)};
    for (const std::size_t place : places_) move(place, off);
  }

  void refuse_outliers() {
    constexpr double kLeast = 0.1, kTimesMost = 3;
    constexpr std::size_t kEnough = 4;
    if (places_.size() < kEnough) return;
    std::vector<double> differences(places_.size());
    context_.pool.for_each(std::ssize(places_), [&](std::int64_t i) {
      differences[static_cast<std::size_t>(i)] =
          largest_difference(cuts_[static_cast<std::size_t>(i)], mean_);
    });
    std::vector<double> sorted = differences;
    std::sort(sorted.begin(), sorted.end());
    const double usual = sorted[sorted.size() / 2];
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (differences[i] > std::max(kLeast, kTimesMost * usual)) {
        cuts_[i].is_used = false;
        beads_.beads[places_[i]].refused =
            fmt::format("differs from the mean by {:.0f} % of its peak", 100 * differences[i]);
      }
  }

  [[nodiscard]] BeadAverage finish() {
    BeadAverage result{std::move(mean_), Volume<float>{beads_.window}};
    const auto used =
        std::count_if(cuts_.begin(), cuts_.end(), [](const CutOut& cut) { return cut.is_used; });
    for (std::size_t i = 0; used > 1 && i < result.spread.voxels.size(); ++i) {
      double square = 0, light = 0;
      for (const CutOut& cut : cuts_) {
        if (!cut.is_used) continue;
        const double off = static_cast<double>(cut.voxels.voxels[i]) / cut.scale -
                           static_cast<double>(result.mean.voxels[i]);
        square += cut.scale * off * off;
        light += cut.scale;
      }
      result.spread.voxels[i] = static_cast<float>(
          std::sqrt(square / light * static_cast<double>(used) / static_cast<double>(used - 1)));
    }
    return result;
  }

  [[nodiscard]] const Volume<float>& mean() const { return mean_; }

 private:
  void move(std::size_t place, const VoxelPosition& by) {
    VoxelPosition& centre = beads_.beads[place].centre;
    centre = {centre.z + by.z, centre.y + by.y, centre.x + by.x};
  }

  const Volume<float>& stack_;
  FoundBeads& beads_;
  Box3 core_;
  const RunContext& context_;
  std::vector<std::size_t> places_;  ///< of the beads that are averaged
  std::vector<CutOut> cuts_;
  Volume<float> mean_;
};

/// Returns the top of a Gaussian that is fitted to the mean; nothing if none fits.
std::optional<VoxelPosition> top_of(const Volume<float>& mean, const FoundBeads& beads,
                                    const VoxelSize& pitch) {
  const Extent3& e = mean.extent;
  const AlongAxes um = pitches_of(pitch);
  FittedGaussian start{
      0,
      1,
      {static_cast<double>(e.z / 2), static_cast<double>(e.y / 2), static_cast<double>(e.x / 2)}};
  for (std::size_t axis = e.z == 1 ? 1 : 0; axis < 3; ++axis)
    start.sigma[axis] = beads.median_fwhm_um[axis] / um[axis] / kWidthOfSigma;
  const auto fit = fit_gaussian(mean, start, /*reach=*/1.5);
  if (!fit) return std::nullopt;
  return fit->centre;
}

/// Scales a mean so that its middle voxel is 1.
void scale_to_peak(BeadAverage& average) {
  const Extent3& e = average.mean.extent;
  const float peak = average.mean.view()(e.z / 2, e.y / 2, e.x / 2);
  for (float& value : average.mean.voxels) value /= peak;
  for (float& value : average.spread.voxels) value /= peak;
}

/// Returns the standard error of a voxel where the light is: from the spread, or for one bead from
/// its own noise.
double noise_of(const BeadAverage& average, const std::vector<ImagedBead>& used, const Box3& core) {
  if (used.size() == 1) return used.front().snr > 0 ? 1 / used.front().snr : 0;
  double square = 0, light = 0;
  for_each_in(core, [&](const Index3& i) {
    const double spread = value_of(average.spread, i.z, i.y, i.x);
    const double weight = std::max(0.0, value_of(average.mean, i.z, i.y, i.x));
    square += weight * spread * spread;
    light += weight;
  });
  return std::sqrt(square / light / static_cast<double>(used.size()));
}

}  // namespace

std::int64_t average_bytes(const FoundBeads& beads, int threads) {
  // A bead is cut out of more voxels than its window, in two steps on the way
  const Extent3& window = beads.window;
  const Extent3 wide{window.z + SincTaps::kCount, window.y + SincTaps::kCount, window.x};
  const std::int64_t windows = std::ssize(beads.kept()) + 4;
  return (windows * volume(window) + 2 * threads * volume(wide)) * std::int64_t{sizeof(float)} +
         volume(window) * std::int64_t{sizeof(double)};
}

BeadAverage average_beads(const Volume<float>& stack, const VoxelSize& pitch, FoundBeads& beads,
                          const RunContext& context) {
  const auto counted =
      context.memory.reserve(average_bytes(beads, context.pool.threads()), "images of beads");
  Alignment alignment{stack, beads, pitch, context};
  alignment.average();
  constexpr int kRoundsOfAlignment = 4;
  const auto align = [&] {
    for (int round = 0; round < kRoundsOfAlignment; ++round) {
      context.stop.check();
      alignment.refine_centres();
      alignment.average();
    }
  };
  align();
  alignment.refuse_outliers();
  align();
  if (const auto top = top_of(alignment.mean(), beads, pitch)) {
    alignment.centre_mean(*top);
    alignment.average();
  }
  BeadAverage result = alignment.finish();
  scale_to_peak(result);
  result.noise = noise_of(result, beads.kept(), core_of(beads, pitch));
  return result;
}

}  // namespace synthoscope::simulator
