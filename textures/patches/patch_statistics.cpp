// SPDX-License-Identifier: MIT
#include "textures/patches/patch_statistics.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

namespace synthoscope::textures {
namespace {

constexpr double kLevelFloor = 1e-4;  ///< of logarithms, in levels of the objects
constexpr double kSquareFloor = kLevelFloor * kLevelFloor;
constexpr double kNearZero = 1e-9;  ///< of what is divided by
constexpr double kTie = 1e-12;      ///< levels that differ less are equal
constexpr int kHalfOctaves = 6;

double log_of(double value, double floor) {
  return std::log10(std::max(value, floor));
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double mean_power_of(const std::vector<double>& values, double centre, int power) {
  double sum = 0;
  for (const double value : values) {
    const double from = value - centre;
    const double square = from * from;
    sum += power == 2 ? square : power == 3 ? square * from : square * square;
  }
  return sum / static_cast<double>(values.size());
}

/// The statistics, added in the order of their table.
class StatisticList {
 public:
  void add(double value) { values_[count_++] = value; }
  [[nodiscard]] const PatchStatistics& values() const { return values_; }

 private:
  PatchStatistics values_{};
  std::size_t count_ = 0;
};

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

/// Sines and cosines of all multiples of one turn over `side`.
struct TurnTable {
  std::int64_t side;
  std::vector<double> cosines, sines;

  explicit TurnTable(std::int64_t side_of_patch) : side{side_of_patch} {
    for (std::int64_t i = 0; i < side; ++i) {
      const double turn = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(side);
      cosines.push_back(std::cos(turn));
      sines.push_back(std::sin(turn));
    }
  }

  /// Returns the sum of (re + i im)(n) exp(-2 pi i k n / side); `step` apart, and `im` may be null.
  [[nodiscard]] std::pair<double, double> sum(const double* re, const double* im, std::int64_t step,
                                              std::int64_t k) const {
    double real = 0, imaginary = 0;
    std::size_t at = 0;
    for (std::int64_t n = 0; n < side; ++n) {
      const double a = re[n * step], b = im ? im[n * step] : 0;
      real += a * cosines[at] + b * sines[at];
      imaginary += b * cosines[at] - a * sines[at];
      at += static_cast<std::size_t>(k);
      if (at >= static_cast<std::size_t>(side)) at -= static_cast<std::size_t>(side);
    }
    return {real, imaginary};
  }
};

/// Power of a patch without its mean, for half of all frequencies: rows ky from 0 to side - 1 of
/// kx from 0 to side / 2. Patches are small: sums along both axes need no fast transform.
std::vector<double> half_power_of(const GreyPlane& patch, double mean) {
  const std::int64_t side = patch.width, half = side / 2 + 1;
  std::vector<double> window;
  double window_power = 0;
  for (std::int64_t i = 0; i < side; ++i) {
    const double turn = (static_cast<double>(i) + 0.5) / static_cast<double>(side);
    window.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * turn));
    window_power += window.back() * window.back();
  }
  window_power *= window_power;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const TurnTable turns{side};

  std::vector<double> row(at(side)), real(at(side * half)), imaginary(at(side * half));
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x)
      row[at(x)] = (patch.at(y, x) - mean) * window[at(y)] * window[at(x)];
    for (std::int64_t k = 0; k < half; ++k)
      std::tie(real[at(y * half + k)], imaginary[at(y * half + k)]) =
          turns.sum(row.data(), nullptr, 1, k);
  }
  std::vector<double> power(at(side * half));
  for (std::int64_t ky = 0; ky < side; ++ky)
    for (std::int64_t k = 0; k < half; ++k) {
      const auto [re, im] = turns.sum(real.data() + k, imaginary.data() + k, half, ky);
      power[at(ky * half + k)] = (re * re + im * im) / window_power;
    }
  return power;
}

/// Mean power in the corners beyond half a cycle a pixel, in half octaves from there on, and below.
/// Limits are compared in integers, so that no frequency lies on one by rounding.
void add_spectrum(const GreyPlane& patch, double mean, StatisticList& list) {
  const std::int64_t side = patch.width, half = side / 2 + 1;
  const std::vector<double> power = half_power_of(patch, mean);
  double sums[kHalfOctaves + 2] = {}, counts[kHalfOctaves + 2] = {};
  for (std::int64_t ky = 0; ky < side; ++ky)
    for (std::int64_t kx = 0; kx < half; ++kx) {
      const std::int64_t y = std::min(ky, side - ky);
      const std::int64_t squared = 4 * (y * y + kx * kx);
      if (squared == 0) continue;
      int band = 0;  // the corners
      while (band <= kHalfOctaves && (squared << band) <= side * side) ++band;
      const bool is_twice = kx > 0 && 2 * kx != side;  // stands for its mirror image, too
      const double weight = is_twice ? 2 : 1;
      sums[band] += weight * power[static_cast<std::size_t>(ky * half + kx)];
      counts[band] += weight;
    }
  for (int band = 0; band < kHalfOctaves + 2; ++band)
    list.add(log_of(counts[band] > 0 ? sums[band] / counts[band] : 0, kSquareFloor));
}

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
