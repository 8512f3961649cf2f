// SPDX-License-Identifier: MIT
#include "simulator/calibration/pixel_statistics.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr std::size_t kSurfaceTerms = 6;
using SurfaceTerms = std::array<double, kSurfaceTerms>;

/// 1, y, x, y^2, y x, x^2 of a pixel, with y and x from -1 to 1.
SurfaceTerms terms_at(std::int64_t y, std::int64_t x, std::int64_t height, std::int64_t width) {
  const double v = static_cast<double>(2 * y + 1) / static_cast<double>(height) - 1;
  const double u = static_cast<double>(2 * x + 1) / static_cast<double>(width) - 1;
  return {1, v, u, v * v, v * u, u * u};
}

/// Solves `normal` c = `right` for a positive definite matrix, by elimination.
SurfaceTerms solved(std::array<SurfaceTerms, kSurfaceTerms> normal, SurfaceTerms right) {
  for (std::size_t k = 0; k < kSurfaceTerms; ++k)
    for (std::size_t i = k + 1; i < kSurfaceTerms; ++i) {
      const double factor = normal[i][k] / normal[k][k];
      for (std::size_t j = k; j < kSurfaceTerms; ++j) normal[i][j] -= factor * normal[k][j];
      right[i] -= factor * right[k];
    }
  SurfaceTerms c{};
  for (std::size_t k = kSurfaceTerms; k-- > 0;) {
    double rest = right[k];
    for (std::size_t j = k + 1; j < kSurfaceTerms; ++j) rest -= normal[k][j] * c[j];
    c[k] = rest / normal[k][k];
  }
  return c;
}

SurfaceTerms surface_of(const std::vector<float>& map, std::int64_t height, std::int64_t width) {
  std::array<SurfaceTerms, kSurfaceTerms> normal{};
  SurfaceTerms right{};
  auto value = map.begin();
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x, ++value) {
      const SurfaceTerms t = terms_at(y, x, height, width);
      for (std::size_t i = 0; i < kSurfaceTerms; ++i) {
        right[i] += t[i] * static_cast<double>(*value);
        for (std::size_t j = 0; j < kSurfaceTerms; ++j) normal[i][j] += t[i] * t[j];
      }
    }
  return solved(normal, right);
}

}  // namespace

double mean_of(const std::vector<float>& map) {
  double sum = 0;
  for (const float value : map) sum += static_cast<double>(value);
  return sum / static_cast<double>(map.size());
}

double spread_of(const std::vector<float>& map, double noise) {
  const double mean = mean_of(map);
  double squares = 0;
  for (const float value : map) squares += std::pow(static_cast<double>(value) - mean, 2);
  return std::sqrt(std::max(squares / static_cast<double>(map.size()) - noise, 0.0));
}

void divide_by_surface(std::vector<float>& map, std::int64_t height, std::int64_t width) {
  constexpr std::int64_t kLeast = 8;
  SurfaceTerms surface{mean_of(map)};
  if (height >= kLeast && width >= kLeast) surface = surface_of(map, height, width);
  auto value = map.begin();
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x, ++value) {
      const SurfaceTerms t = terms_at(y, x, height, width);
      double light = 0;
      for (std::size_t i = 0; i < kSurfaceTerms; ++i) light += t[i] * surface[i];
      *value = static_cast<float>(static_cast<double>(*value) / light);
    }
}

MeanAndSpread noise_over_pixels(const std::vector<float>& variances, std::int64_t pairs,
                                const std::vector<float>& known) {
  double sum = 0, squares = 0, all_squares = 0;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const auto all = static_cast<double>(variances[i]);
    const double own = all - static_cast<double>(known[i]);
    sum += own;
    squares += own * own;
    all_squares += all * all;
  }
  const auto pixels = static_cast<double>(variances.size());
  const double second = std::max(sum / pixels, 0.0);  // of the noise
  const double of_estimates = 2 / static_cast<double>(pairs + 2) * all_squares / pixels;
  const double scatter = std::max(squares / pixels - of_estimates - second * second, 0.0);

  // A normal sigma of mean m and spread s has second = m^2 + s^2 and a variance of its square of
  // 4 m^2 s^2 + 2 s^4
  const double root = std::sqrt(std::max(second * second - scatter / 2, 0.0));
  const double spread_squared = std::min(second - root, second / 2);
  return {std::sqrt(second - spread_squared), std::sqrt(spread_squared)};
}

}  // namespace synthoscope::simulator
