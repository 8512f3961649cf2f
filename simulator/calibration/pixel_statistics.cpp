// SPDX-License-Identifier: MIT
#include "simulator/calibration/pixel_statistics.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "core/base/assert.hpp"
#include "core/math/linear_system.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::size_t kSurfaceTerms = 6;
using SurfaceTerms = std::array<double, kSurfaceTerms>;

/// Returns 1, y, x, y^2, y x, x^2 of a pixel, with y and x from -1 to 1.
SurfaceTerms terms_at(std::int64_t y, std::int64_t x, std::int64_t height, std::int64_t width) {
  const double v = static_cast<double>(2 * y + 1) / static_cast<double>(height) - 1;
  const double u = static_cast<double>(2 * x + 1) / static_cast<double>(width) - 1;
  return {1, v, u, v * v, v * u, u * u};
}

SurfaceTerms surface_of(const std::vector<float>& map, std::int64_t height, std::int64_t width) {
  // The normal equations of least squares, with the right side as last column
  std::vector<std::vector<double>> normal(kSurfaceTerms, std::vector<double>(kSurfaceTerms + 1));
  auto value = map.begin();
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x, ++value) {
      const SurfaceTerms t = terms_at(y, x, height, width);
      for (std::size_t i = 0; i < kSurfaceTerms; ++i) {
        for (std::size_t j = 0; j < kSurfaceTerms; ++j) normal[i][j] += t[i] * t[j];
        normal[i][kSurfaceTerms] += t[i] * static_cast<double>(*value);
      }
    }
  const bool is_solved = solve_linear(normal);  // always, for 8 x 8 pixels and more
  SYNTHOSCOPE_ASSERT(is_solved, ==, true);
  SurfaceTerms surface{};
  for (std::size_t i = 0; i < kSurfaceTerms; ++i) surface[i] = normal[i][kSurfaceTerms];
  return surface;
}

constexpr double kFarOut = 5;    // standard deviations
constexpr double kFarNoise = 7;  // the same for noise, whose tail is longer than a normal one
constexpr double kOfMedian =
    1.482602218505602;  // the deviation of a normal variable over its median

double median_of(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(*middle);
}

/// The range of values that are not outlying.
struct Inside {
  double low, high;
  [[nodiscard]] bool holds(double value) const { return value >= low && value <= high; }
};

/// Returns `deviations` deviations around the median, for values whose noise alone has a deviation
/// of `least`.
Inside inside_of(std::vector<float> values, double least, double deviations) {
  const double median = median_of(values);
  for (float& value : values)
    value = static_cast<float>(std::abs(static_cast<double>(value) - median));
  const double far = deviations * std::max(kOfMedian * median_of(values), least);
  return {median - far, median + far};
}

}  // namespace

double mean_of(const std::vector<float>& map) {
  double sum = 0;
  for (const float value : map) sum += static_cast<double>(value);
  return sum / static_cast<double>(map.size());
}

Bulk bulk_of(const std::vector<float>& map, double noise) {
  const Inside inside = inside_of(map, std::sqrt(noise), kFarOut);
  double sum = 0, squares = 0, pixels = 0;
  for (const float pixel : map)
    if (const auto value = static_cast<double>(pixel); inside.holds(value)) {
      sum += value;
      ++pixels;
    }
  const double mean = sum / pixels;
  for (const float pixel : map)
    if (const auto value = static_cast<double>(pixel); inside.holds(value))
      squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(std::max(squares / pixels - noise, 0.0)),
          std::ssize(map) - static_cast<std::int64_t>(pixels)};
}

void divide_by_surface(std::vector<float>& map, std::int64_t height, std::int64_t width) {
  constexpr std::int64_t kMin = 8;
  SurfaceTerms surface{mean_of(map)};
  if (height >= kMin && width >= kMin) surface = surface_of(map, height, width);
  auto value = map.begin();
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x, ++value) {
      const SurfaceTerms t = terms_at(y, x, height, width);
      double light = 0;
      for (std::size_t i = 0; i < kSurfaceTerms; ++i) light += t[i] * surface[i];
      *value = static_cast<float>(static_cast<double>(*value) / light);
    }
}

Bulk noise_over_pixels(const std::vector<float>& variances, std::int64_t pairs,
                       const std::vector<float>& known) {
  std::vector<float> roots(variances.size());
  std::transform(variances.begin(), variances.end(), roots.begin(),
                 [](float variance) { return std::cbrt(variance); });
  const double of_root = std::sqrt(2 / (9 * static_cast<double>(pairs))) * mean_of(roots);
  const double highest = std::pow(inside_of(std::move(roots), of_root, kFarNoise).high, 3);

  double sum = 0, squares = 0, all_squares = 0, pixels = 0;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const auto all = static_cast<double>(variances[i]);
    if (all > highest) continue;
    ++pixels;
    const double own = all - static_cast<double>(known[i]);
    sum += own;
    squares += own * own;
    all_squares += all * all;
  }
  const double second = std::max(sum / pixels, 0.0);  // of the noise
  const double of_estimates = 2 / static_cast<double>(pairs + 2) * all_squares / pixels;
  const double scatter = std::max(squares / pixels - of_estimates - second * second, 0.0);

  // A normal sigma of mean m and spread s has second = m^2 + s^2, and its square has a variance of
  // 4 m^2 s^2 + 2 s^4
  const double root = std::sqrt(std::max(second * second - scatter / 2, 0.0));
  const double spread_squared = std::min(second - root, second / 2);
  return {std::sqrt(second - spread_squared), std::sqrt(spread_squared),
          std::ssize(variances) - static_cast<std::int64_t>(pixels)};
}

}  // namespace synthoscope::simulator
