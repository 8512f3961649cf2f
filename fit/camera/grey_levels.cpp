// SPDX-License-Identifier: MIT
#include "fit/camera/grey_levels.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace synthoscope::fit {
namespace {

constexpr double kWidestRange = 1 << 24;  ///< of values with a histogram
constexpr double kOftenEnough = 30;       ///< voxels of neighbours of a level that is tested
constexpr double kDoubled = 1.6;          ///< times the median of its neighbours
constexpr double kDeviations = 6;
constexpr std::size_t kLevelsBelow = 4;  ///< with which the highest level is compared
constexpr double kSpike = 2.5;           ///< times their mean
constexpr double kLeastRest = 1e-3;      ///< of the voxels, at the lowest level of a cut image
constexpr double kFewestSaturated = 10;  ///< voxels

using Levels = std::vector<double>;  ///< number of voxels of each level, from the lowest

void visit_rows(HostView3<const float> counts, const auto& visit) {
  const Extent3 extent = counts.extent();
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y) visit(counts.row(z, y), extent.x);
}

void find_ends(HostView3<const float> counts, GreyLevels& found) {
  found.lowest = found.highest = static_cast<double>(*counts.row(0, 0));
  visit_rows(counts, [&](const float* row, std::int64_t length) {
    for (std::int64_t x = 0; x < length; ++x) {
      const double value = static_cast<double>(row[x]);
      found.lowest = std::min(found.lowest, value);
      found.highest = std::max(found.highest, value);
      if (value != std::floor(value)) found.are_whole = false;
    }
  });
  if (found.highest - found.lowest > kWidestRange) found.are_whole = false;
}

Levels histogram(HostView3<const float> counts, const GreyLevels& found) {
  Levels levels(static_cast<std::size_t>(found.highest - found.lowest) + 1);
  visit_rows(counts, [&](const float* row, std::int64_t length) {
    for (std::int64_t x = 0; x < length; ++x)
      ++levels[static_cast<std::size_t>(static_cast<double>(row[x]) - found.lowest)];
  });
  return levels;
}

/// Levels that occur lie so many apart, or a multiple of it.
std::size_t step_of(const Levels& levels) {
  std::size_t step = 0;
  for (std::size_t i = 1; i < levels.size(); ++i)
    if (levels[i] > 0) step = std::gcd(step, i);
  return std::max<std::size_t>(step, 1);
}

Levels every(const Levels& levels, std::size_t step) {
  Levels result;
  for (std::size_t i = 0; i < levels.size(); i += step) result.push_back(levels[i]);
  return result;
}

/// Looks for a comb between the 2nd and the 98th percentile.
void count_odd_levels(const Levels& levels, double voxels, GreyLevels& found) {
  double sum = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    sum += levels[i];
    if (i < 3 || i + 3 >= levels.size() || sum < 0.02 * voxels || sum - levels[i] > 0.98 * voxels)
      continue;
    std::array<double, 6> near{levels[i - 3], levels[i - 2], levels[i - 1],
                               levels[i + 1], levels[i + 2], levels[i + 3]};
    const double mean = std::accumulate(near.begin(), near.end(), 0.0) / 6;
    if (mean < kOftenEnough) continue;
    ++found.tested;
    std::sort(near.begin(), near.end());
    const double median = (near[2] + near[3]) / 2;
    if (levels[i] == 0) ++found.missing;
    if (median > kOftenEnough && levels[i] > kDoubled * median &&
        levels[i] - median > kDeviations * std::sqrt(median))
      ++found.doubled;
  }
}

bool ends_in_spike(const Levels& levels) {
  const std::size_t below = std::min(kLevelsBelow, levels.size() - 1);
  if (below == 0 || levels.back() < kFewestSaturated) return false;
  const double sum =
      std::accumulate(levels.end() - 1 - static_cast<std::ptrdiff_t>(below), levels.end() - 1, 0.0);
  return levels.back() > kSpike * sum / static_cast<double>(below);
}

/// Whether the lowest level holds what others below it would have: noise grows from level to level
/// by ever smaller factors, so that the square of a number is at least the product of its
/// neighbours.
bool begins_with_rest(const Levels& levels, double voxels) {
  if (levels.size() < 3 || levels[0] < std::max(kFewestSaturated, kLeastRest * voxels))
    return false;
  return levels[0] >= levels[1] || levels[0] * levels[2] > kSpike * levels[1] * levels[1];
}

}  // namespace

TileLimits GreyLevels::limits() const {
  TileLimits limits;
  if (is_cut_below) limits.low = lowest;
  if (is_saturated) limits.high = highest;
  return limits;
}

int GreyLevels::bits() const {
  int bits = 1;
  while (bits < 16 && std::pow(2, bits) - 1 < highest) ++bits;
  return bits;
}

bool GreyLevels::is_full_of_bits() const {
  return is_saturated && std::pow(2, bits()) - highest <= step;
}

GreyLevels grey_levels(HostView3<const float> counts) {
  GreyLevels found;
  find_ends(counts, found);
  const double voxels = static_cast<double>(volume(counts.extent()));
  if (!found.are_whole || found.lowest == found.highest) return found;
  const Levels all = histogram(counts, found);
  const std::size_t step = step_of(all);
  found.step = static_cast<double>(step);
  const Levels levels = every(all, step);
  found.share_lowest = levels.front() / voxels;
  found.share_highest = levels.back() / voxels;
  found.is_cut_below = begins_with_rest(levels, voxels);
  found.is_saturated = ends_in_spike(levels);
  count_odd_levels(levels, voxels, found);
  return found;
}

bool counts_photons(HostView3<const float> counts, double step) {
  constexpr std::int64_t side = 8;
  constexpr double least = 0.05, most = 2, agreement = 0.1;
  const Extent3 extent = counts.extent();
  double zeros = 0, ones = 0, expected_zeros = 0, expected_ones = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y + side <= extent.y; y += side)
      for (std::int64_t x = 0; x + side <= extent.x; x += side) {
        double sum = 0, zero = 0, one = 0;
        for (std::int64_t v = 0; v < side; ++v)
          for (std::int64_t u = 0; u < side; ++u) {
            const double level = static_cast<double>(counts(z, y + v, x + u)) / step;
            sum += level;
            zero += level == 0;
            one += level == 1;
          }
        const double mean = sum / (side * side);
        if (mean < least || mean > most) continue;
        zeros += zero;
        ones += one;
        expected_zeros += side * side * std::exp(-mean);
        expected_ones += side * side * mean * std::exp(-mean);
      }
  return expected_ones > 100 && std::abs(zeros / expected_zeros - 1) < agreement &&
         std::abs(ones / expected_ones - 1) < agreement;
}

}  // namespace synthoscope::fit
