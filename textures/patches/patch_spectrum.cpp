// SPDX-License-Identifier: MIT
#include "textures/patches/patch_spectrum.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

namespace synthoscope::textures {
namespace {

constexpr int kHalfOctaves = 6;

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

}  // namespace

void add_spectrum(const GreyPlane& patch, double mean, StatisticList& list) {
  const std::int64_t side = patch.width, half = side / 2 + 1;
  const std::vector<double> power = half_power_of(patch, mean);
  // Limits are compared in integers, so that no frequency lies on one by rounding
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

}  // namespace synthoscope::textures
