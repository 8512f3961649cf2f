// SPDX-License-Identifier: MIT
#include "textures/patches/patch_statistics.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>
#include "textures/patches/patch_detail.hpp"
#include "textures/patches/patch_spectrum.hpp"
#include "textures/patches/statistic_list.hpp"

namespace synthoscope::textures {
namespace {

void add_moments(const GreyPlane& patch, double mean, double deviation, StatisticList& list) {
  const double safe = std::max(deviation, kNearZero);
  std::vector<double> sorted = patch.values;
  std::sort(sorted.begin(), sorted.end());
  const double median = quantile_of_sorted(sorted, 0.5);
  list.add(mean);
  list.add(log_of(deviation, kLevelFloor));
  list.add(mean_power_of(patch.values, mean, 3) / (safe * safe * safe));
  list.add(mean_power_of(patch.values, mean, 4) / (safe * safe * safe * safe) - 3);
  list.add(quantile_of_sorted(sorted, 0.05) - median);
  list.add(quantile_of_sorted(sorted, 0.95) - median);
}

/// Slopes of a blurred patch, without its outermost pixels, and means of their products.
struct PatchSlopes {
  std::vector<double> sizes;
  double yy = 0, xx = 0, yx = 0;

  explicit PatchSlopes(const GreyPlane& smooth) {
    for (std::int64_t y = 1; y + 1 < smooth.height; ++y)
      for (std::int64_t x = 1; x + 1 < smooth.width; ++x) {
        const double along_y = (smooth.at(y + 1, x) - smooth.at(y - 1, x)) / 2;
        const double along_x = (smooth.at(y, x + 1) - smooth.at(y, x - 1)) / 2;
        sizes.push_back(std::sqrt(along_y * along_y + along_x * along_x));
        yy += along_y * along_y;
        xx += along_x * along_x;
        yx += along_y * along_x;
      }
    const auto count = static_cast<double>(sizes.size());
    yy /= count, xx /= count, yx /= count;
  }
  [[nodiscard]] double concentration() const {
    std::vector<double> sorted = sizes;
    std::sort(sorted.begin(), sorted.end());
    return quantile_of_sorted(sorted, 0.95) / std::max(quantile_of_sorted(sorted, 0.5), kNearZero);
  }
  [[nodiscard]] double coherence() const {
    return std::sqrt((yy - xx) * (yy - xx) + 4 * yx * yx) / std::max(yy + xx, 1e-18);
  }
};

/// Mean squared difference of neighbours along rows, along columns, and the share of equal ones.
struct NeighbourDifferences {
  double along_rows = 0, along_columns = 0, equal = 0;

  explicit NeighbourDifferences(const GreyPlane& patch) {
    const std::int64_t side = patch.width;
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x + 1 < side; ++x) {
        const double row = patch.at(y, x + 1) - patch.at(y, x);
        const double column = patch.at(x + 1, y) - patch.at(x, y);
        along_rows += row * row;
        along_columns += column * column;
        equal += row == 0;
      }
    const auto count = static_cast<double>(side * (side - 1));
    along_rows /= count, along_columns /= count, equal /= count;
  }
};

/// Standard deviations in all windows of a side that lie in the patch.
std::vector<double> local_deviations(const GreyPlane& patch, double mean, std::int64_t window) {
  std::vector<double> deviations;
  const auto count = static_cast<double>(window * window);
  for (std::int64_t y = 0; y + window <= patch.height; ++y)
    for (std::int64_t x = 0; x + window <= patch.width; ++x) {
      double sum = 0, squares = 0;
      for (std::int64_t j = 0; j < window; ++j)
        for (std::int64_t i = 0; i < window; ++i) {
          const double value = patch.at(y + j, x + i) - mean;
          sum += value;
          squares += value * value;
        }
      const double average = sum / count;
      deviations.push_back(std::sqrt(std::max(squares / count - average * average, 0.0)));
    }
  return deviations;
}

void add_local_contrast(const GreyPlane& patch, double mean, StatisticList& list) {
  const auto fine = local_deviations(patch, mean, 5), coarse = local_deviations(patch, mean, 9);
  for (const auto* deviations : {&fine, &coarse})
    list.add(log_of(mean_of(*deviations), kLevelFloor));
  for (const auto* deviations : {&fine, &coarse}) {
    const double average = mean_of(*deviations);
    list.add(std::sqrt(mean_power_of(*deviations, average, 2)) / std::max(average, kNearZero));
  }
}

/// Autocorrelation at a distance, mean of rows and columns.
double correlation_at(const GreyPlane& patch, double mean, double variance, std::int64_t lag) {
  double rows = 0, columns = 0;
  for (std::int64_t y = 0; y < patch.height; ++y)
    for (std::int64_t x = 0; x + lag < patch.width; ++x) {
      rows += (patch.at(y, x) - mean) * (patch.at(y, x + lag) - mean);
      columns += (patch.at(x, y) - mean) * (patch.at(x + lag, y) - mean);
    }
  const auto count = static_cast<double>(patch.height * (patch.width - lag));
  return (rows / count + columns / count) / 2 / variance;
}

void add_correlation(const GreyPlane& patch, double mean, double deviation, StatisticList& list) {
  const double variance = std::max(deviation * deviation, 1e-18);
  const std::int64_t most = patch.width / 2;
  double length = static_cast<double>(most), before = 1;
  double first[3] = {1, 0, 0};
  bool has_fallen = false;
  for (std::int64_t lag = 1; lag <= most && (lag <= 2 || !has_fallen); ++lag) {
    const double here = correlation_at(patch, mean, variance, lag);
    if (lag <= 2) first[lag] = here;
    if (!has_fallen && here < 0.5 && before >= 0.5) {
      length = static_cast<double>(lag - 1) + (before - 0.5) / std::max(before - here, 1e-12);
      has_fallen = true;
    }
    before = here;
  }
  list.add(first[1]);
  list.add(first[2]);
  list.add(std::log2(length));
}

}  // namespace

PatchStatistics patch_statistics(const GreyPlane& patch) {
  StatisticList list;
  const double mean = mean_of(patch.values);
  const double deviation = std::sqrt(mean_power_of(patch.values, mean, 2));
  add_moments(patch, mean, deviation, list);

  const PatchSlopes fine{blurred(patch, 1)}, coarse{blurred(patch, 3)};
  list.add(log_of(mean_of(fine.sizes), kLevelFloor));
  list.add(log_of(mean_of(coarse.sizes), kLevelFloor));
  list.add(fine.concentration());
  list.add(coarse.concentration());

  add_spectrum(patch, mean, list);
  list.add(fine.coherence());
  const NeighbourDifferences neighbours{patch};
  list.add(log_of(neighbours.along_rows, kSquareFloor) -
           log_of(neighbours.along_columns, kSquareFloor));
  add_local_contrast(patch, mean, list);
  add_correlation(patch, mean, deviation, list);
  add_spots(patch, list);
  add_noise(patch, list);
  list.add(neighbours.equal);
  return list.values();
}

}  // namespace synthoscope::textures
