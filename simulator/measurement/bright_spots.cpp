// SPDX-License-Identifier: MIT
#include "simulator/measurement/bright_spots.hpp"
#include <algorithm>
#include <cmath>
#include <mutex>
#include "kernels/filters/named_filters.hpp"
#include "simulator/measurement/filtered.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMostSamples = std::int64_t{1} << 20;
constexpr double kDarkShare = 0.9;

/// Returns an even sample of the voxels, in ascending order.
std::vector<float> sorted_sample(const Volume<float>& stack) {
  const std::int64_t count = std::ssize(stack.voxels);
  const std::int64_t step = (count + kMostSamples - 1) / kMostSamples;
  std::vector<float> sample;
  for (std::int64_t i = 0; i < count; i += step)
    sample.push_back(stack.voxels[static_cast<std::size_t>(i)]);
  std::sort(sample.begin(), sample.end());
  return sample;
}

double quantile(const std::vector<float>& sorted, double part) {
  return static_cast<double>(
      sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))]);
}

Volume<float> smoothed(const Volume<float>& stack, const std::array<double, 3>& sigma,
                       const RunContext& context) {
  constexpr double kTruncate = 4;
  const bool is_flat = stack.extent.z == 1;
  const auto kernel =
      kernels::gaussian({is_flat ? 0 : sigma[0], sigma[1], sigma[2]}, kTruncate, {0, 0, 0});
  const auto filter = kernels::make_filter({stack.extent}, kernel);
  return filtered(stack, *filter.operation, context);
}

/// Returns the smoothed stack, less what is much wider along y and x: out-of-focus light.
Volume<float> without_haze(const Volume<float>& stack, const AlongAxes& sigma,
                           const RunContext& context) {
  constexpr double kTimesWider = 4, kLeast = 5;
  Volume<float> smooth = smoothed(stack, sigma, context);
  const Volume<float> haze = smoothed(stack,
                                      {sigma[0], std::max(kLeast, kTimesWider * sigma[1]),
                                       std::max(kLeast, kTimesWider * sigma[2])},
                                      context);
  for (std::size_t i = 0; i < smooth.voxels.size(); ++i) smooth.voxels[i] -= haze.voxels[i];
  return smooth;
}

/// Returns whether a voxel is larger than its neighbours; among equals the first one is.
bool is_top(HostView3<const float> voxels, const Index3& at) {
  const Extent3& e = voxels.extent();
  const float here = voxels(at.z, at.y, at.x);
  for (std::int64_t z = std::max<std::int64_t>(0, at.z - 1); z <= std::min(e.z - 1, at.z + 1); ++z)
    for (std::int64_t y = std::max<std::int64_t>(0, at.y - 1); y <= std::min(e.y - 1, at.y + 1);
         ++y)
      for (std::int64_t x = std::max<std::int64_t>(0, at.x - 1); x <= std::min(e.x - 1, at.x + 1);
           ++x) {
        const float other = voxels(z, y, x);
        const bool is_before = std::tuple{z, y, x} < std::tuple{at.z, at.y, at.x};
        if (other > here || (other == here && is_before)) return false;
      }
  return true;
}

/// Returns voxels from a spot to where it has fallen to half, on the nearer side of an axis.
double half_width_along(HostView3<const float> voxels, const Index3& at, int axis, double level) {
  constexpr std::int64_t kFarthest = 64;
  const Extent3& e = voxels.extent();
  const double top = static_cast<double>(voxels(at.z, at.y, at.x)), half = (top + level) / 2;
  double before = top;
  for (std::int64_t far = 1; far < kFarthest; ++far) {
    double lowest = top;
    for (const std::int64_t step : {-far, far}) {
      Index3 there = at;
      (axis == 0 ? there.z : axis == 1 ? there.y : there.x) += step;
      const bool is_outside = there.z < 0 || there.y < 0 || there.x < 0 || there.z >= e.z ||
                              there.y >= e.y || there.x >= e.x;
      if (!is_outside)
        lowest = std::min(lowest, static_cast<double>(voxels(there.z, there.y, there.x)));
    }
    if (lowest <= half)
      return static_cast<double>(far) - (half - lowest) / std::max(before - lowest, 1e-12);
    before = lowest;
  }
  return 1;
}

/// Returns the standard deviations of a Gaussian that has these half widths after smoothing.
AlongAxes sigma_at(HostView3<const float> voxels, const Index3& at, double level,
                   const AlongAxes& smoothing) {
  constexpr double kLeast = 0.5;
  AlongAxes sigma{1, 1, 1};
  for (int axis = voxels.extent().z == 1 ? 1 : 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const double seen = 2 * half_width_along(voxels, at, axis, level) / kWidthOfSigma;
    sigma[i] = std::sqrt(std::max(kLeast * kLeast, seen * seen - smoothing[i] * smoothing[i]));
  }
  return sigma;
}

}  // namespace

Darkness darkness_of(const Volume<float>& stack) {
  const std::vector<float> sorted = sorted_sample(stack);
  const auto most = static_cast<float>(quantile(sorted, kDarkShare));
  double square = 0;
  std::int64_t pairs = 0;
  const std::int64_t rows = stack.extent.z * stack.extent.y, columns = stack.extent.x;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t x = 1; x < columns; ++x) {
      const float* const pair = stack.voxels.data() + row * columns + x - 1;
      if (pair[0] > most || pair[1] > most) continue;
      const double difference = static_cast<double>(pair[1]) - static_cast<double>(pair[0]);
      square += difference * difference;
      ++pairs;
    }
  return {quantile(sorted, 0.5),
          pairs > 0 ? std::sqrt(square / static_cast<double>(2 * pairs)) : 0};
}

std::int64_t bright_spots_bytes(const Extent3& stack) {
  return 3 * volume(stack) * std::int64_t{sizeof(float)} +
         kMostSamples * std::int64_t{sizeof(float)};
}

std::vector<BrightSpot> bright_spots(const Volume<float>& stack, const std::array<double, 3>& sigma,
                                     const RunContext& context) {
  constexpr double kLeastHeight = 8;
  const auto counted = context.memory.reserve(bright_spots_bytes(stack.extent), "a smoothed stack");
  const Volume<float> smooth = without_haze(stack, sigma, context);
  const std::vector<float> sorted = sorted_sample(smooth);
  // Half of the voxels of a normal distribution lie within 0.6745 standard deviations
  const double level = quantile(sorted, 0.5);
  const double noise = (level - quantile(sorted, 0.25)) / 0.6745;
  const double least = level + kLeastHeight * noise;
  std::vector<BrightSpot> spots;
  std::mutex mutex;
  context.pool.for_each(stack.extent.z, [&](std::int64_t z) {
    for (std::int64_t y = 0; y < stack.extent.y; ++y)
      for (std::int64_t x = 0; x < stack.extent.x; ++x) {
        const auto value = static_cast<double>(smooth.view()(z, y, x));
        if (!(value > least) || !is_top(smooth.view(), {z, y, x})) continue;
        const std::scoped_lock lock{mutex};
        spots.push_back({{z, y, x}, value - level, {}});
      }
  });
  std::sort(spots.begin(), spots.end(), [](const BrightSpot& a, const BrightSpot& b) {
    return std::tuple{-a.height, a.at.z, a.at.y, a.at.x} <
           std::tuple{-b.height, b.at.z, b.at.y, b.at.x};
  });
  for (BrightSpot& spot : spots) spot.sigma = sigma_at(smooth.view(), spot.at, level, sigma);
  return spots;
}

}  // namespace synthoscope::simulator
