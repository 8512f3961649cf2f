// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/sinc_taps.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "simulator/optics/functions/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kReach = 8;  // samples on each side
constexpr double kSteepness = 8;    // of Kaiser's window: ripples below 1e-4

double sinc(double x) {
  const double turned = std::numbers::pi * x;
  return x == 0 ? 1 : std::sin(turned) / turned;
}

/// Returns Kaiser's window on [-1, 1], 1 in the middle.
double kaiser(double x) {
  return std::abs(x) < 1 ? std::cyl_bessel_i(0.0, kSteepness * std::sqrt(1 - x * x)) /
                               std::cyl_bessel_i(0.0, kSteepness)
                         : 0;
}

/// Adds `share` times the weights of the samples around `position` to those from `first` on.
void add(double position, double share, std::int64_t first, std::vector<double>& weights) {
  const auto below = static_cast<std::int64_t>(std::floor(position));
  double around[2 * kReach], sum = 0;
  for (std::int64_t k = 0; k < 2 * kReach; ++k) {
    const double x = position - static_cast<double>(below - kReach + 1 + k);
    around[k] = sinc(x) * kaiser(x / kReach);
    sum += around[k];
  }
  for (std::int64_t k = 0; k < 2 * kReach; ++k)
    weights[static_cast<std::size_t>(below - kReach + 1 + k - first)] += share * around[k] / sum;
}

/// Returns the part of `taps` that lies on samples.
Taps clipped(const Taps& taps, std::int64_t samples) {
  const auto count = static_cast<std::int64_t>(taps.weights.size());
  const std::int64_t begin = std::clamp<std::int64_t>(-taps.first, 0, count);
  const std::int64_t end = std::clamp<std::int64_t>(samples - taps.first, begin, count);
  return {taps.first + begin, {taps.weights.begin() + begin, taps.weights.begin() + end}};
}

}  // namespace

std::vector<Taps> sinc_taps(std::int64_t samples, double start, double step, std::int64_t count,
                            double width) {
  const Quadrature mean =
      width > 0 ? gauss_legendre(static_cast<std::int64_t>(4 * width) + 6, -width / 2, width / 2)
                : Quadrature{{0}, {1}};
  const double total = width > 0 ? width : 1;
  std::vector<Taps> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const double position = start + static_cast<double>(i) * step;
    const auto first = static_cast<std::int64_t>(std::floor(position + mean.nodes.front()));
    const auto last = static_cast<std::int64_t>(std::floor(position + mean.nodes.back()));
    Taps taps{first - kReach + 1,
              std::vector<double>(static_cast<std::size_t>(last - first + 2 * kReach))};
    for (std::size_t n = 0; n < mean.nodes.size(); ++n)
      add(position + mean.nodes[n], mean.weights[n] / total, taps.first, taps.weights);
    all.push_back(clipped(taps, samples));
  }
  return all;
}

}  // namespace synthoscope::simulator
