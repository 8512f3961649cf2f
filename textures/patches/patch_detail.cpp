// SPDX-License-Identifier: MIT
#include "textures/patches/patch_detail.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace synthoscope::textures {
namespace {

constexpr double kTie = 1e-12;  ///< levels that differ less are equal

/// Number of extrema, among their eight neighbours, of at least the median size.
std::pair<double, double> extrema_of(const GreyPlane& spots) {
  std::vector<double> sizes;
  for (const double value : spots.values) sizes.push_back(std::abs(value));
  const double least = quantile_of(std::move(sizes), 0.5);
  double dark = 0, bright = 0;
  for (std::int64_t y = 1; y + 1 < spots.height; ++y)
    for (std::int64_t x = 1; x + 1 < spots.width; ++x) {
      const double here = spots.at(y, x);
      bool is_lowest = here<-least, is_highest = here> least;
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t i = -1; i <= 1; ++i) {
          if (i == 0 && j == 0) continue;
          const double other = spots.at(y + j, x + i);
          is_lowest = is_lowest && here < other;
          is_highest = is_highest && here > other;
        }
      dark += is_lowest;
      bright += is_highest;
    }
  return {dark, bright};
}

}  // namespace

void add_spots(const GreyPlane& patch, StatisticList& list) {
  std::pair<double, double> counts;
  for (const double sigma : {2.0, 4.0}) {
    GreyPlane spots = blurred(patch, sigma);
    const GreyPlane wide = blurred(patch, 1.6 * sigma);
    for (std::size_t i = 0; i < spots.values.size(); ++i) spots.values[i] -= wide.values[i];
    if (sigma == 2) counts = extrema_of(spots);
    std::vector<double> sorted = std::move(spots.values);
    std::sort(sorted.begin(), sorted.end());
    list.add(-quantile_of_sorted(sorted, 0.02));
    list.add(quantile_of_sorted(sorted, 0.98));
  }
  list.add(counts.first);
  list.add(counts.second);
}

void add_noise(const GreyPlane& patch, StatisticList& list) {
  constexpr double kMask[3] = {1, -2, 1};
  std::vector<double> residuals, sizes, local;
  for (std::int64_t y = 1; y + 1 < patch.height; ++y)
    for (std::int64_t x = 1; x + 1 < patch.width; ++x) {
      double residual = 0, sum = 0;
      for (std::int64_t j = 0; j < 3; ++j)
        for (std::int64_t i = 0; i < 3; ++i) {
          const double value = patch.at(y + j - 1, x + i - 1);
          residual += kMask[i] * kMask[j] * value;
          sum += value;
        }
      residuals.push_back(residual / 6);
      sizes.push_back(std::abs(residuals.back()));
      local.push_back(sum / 9);
    }
  const double square = mean_power_of(residuals, 0, 2);
  list.add(log_of(quantile_of(std::move(sizes), 0.5) / 0.6745, kLevelFloor));
  list.add(log_of(mean_power_of(residuals, 0, 4) / std::max(square * square, 1e-30), 1));

  // Noise where the patch is brighter than its median, and elsewhere
  const double median = quantile_of(local, 0.5);
  double sums[2] = {}, counts[2] = {};
  for (std::size_t i = 0; i < local.size(); ++i) {
    const std::size_t is_bright = local[i] - median > kTie ? 1 : 0;
    sums[is_bright] += residuals[i] * residuals[i];
    ++counts[is_bright];
  }
  const auto log_power = [&](std::size_t of) {
    return log_of(sums[of] / std::max(counts[of], 1.0), kSquareFloor);
  };
  list.add((log_power(1) - log_power(0)) / 2);
}

}  // namespace synthoscope::textures
