// SPDX-License-Identifier: MIT
#include "fit/camera/hidden_noise.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include "fit/camera/camera_noise.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kOfRounding = 1.0 / 12;    ///< variance, in squared steps
constexpr double kLeastSeen = 0.25;         ///< variance of noise that rounding does not hide
constexpr std::size_t kTilesOfAGroup = 15;  ///< of similar light
constexpr std::size_t kMostOfAFloor = 400;  ///< points that a floor is found from

/// Returns the moments of rounded normal numbers around one mean.
Moments rounded_around(double mean, double noise) {
  const double sigma = std::sqrt(noise);
  const auto reach = static_cast<int>(std::ceil(5 * sigma)) + 1;
  const double middle = std::round(mean);
  const auto below = [&](double edge) {
    if (!(sigma > 0)) return edge > mean ? 1.0 : 0.0;
    return 0.5 * std::erfc((mean - edge) / (std::numbers::sqrt2 * sigma));
  };
  double first = 0, second = 0;
  for (int level = -reach; level <= reach; ++level) {
    const double share = below(middle + level + 0.5) - below(middle + level - 0.5);
    first += share * level;
    second += share * level * level;
  }
  return {middle + first, second - first * first};
}

/// Returns how many of the darkest points are hidden.
std::size_t count_hidden(const std::vector<NoisePoint>& by_mean, double step) {
  std::size_t hidden = 0;
  for (std::size_t begin = 0; begin + kTilesOfAGroup <= by_mean.size(); begin += kTilesOfAGroup) {
    std::vector<double> variances;
    for (std::size_t i = begin; i < begin + kTilesOfAGroup; ++i)
      variances.push_back(by_mean[i].variance);
    const auto middle = variances.begin() + kTilesOfAGroup / 2;
    std::nth_element(variances.begin(), middle, variances.end());
    if (*middle < (kLeastSeen + kOfRounding) * step * step) hidden = begin + kTilesOfAGroup;
  }
  return hidden;
}

/// Noise that begins with a floor in the dark, in squared steps.
struct HiddenNoise {
  double floor = 0, slope = 0, dark = 0;
  [[nodiscard]] double at(double mean) const {
    return std::max(floor + slope * std::max(mean - dark, 0.0), 0.0);
  }
  /// Returns the variance after rounding, of a point in steps: its mean is that of rounded
  /// numbers, too.
  [[nodiscard]] double rounded(const NoisePoint& point) const {
    constexpr int halvings = 12;
    double low = point.mean - 0.5, high = point.mean + 0.5;
    Moments at_middle;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (low + high) / 2;
      at_middle = moments_of_rounded(middle, point.unevenness, at(middle));
      (at_middle.mean < point.mean ? low : high) = middle;
    }
    return at_middle.variance;
  }
};

NoisePoint in_steps(const NoisePoint& point, double step) {
  return {point.mean / step, point.variance / (step * step), point.unevenness / (step * step)};
}

/// Returns how far the variances of some points are from those of noise after rounding.
double misfit(std::span<const NoisePoint> points, const HiddenNoise& noise) {
  const std::size_t every = points.size() / kMostOfAFloor + 1;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); i += every)
    sum += std::abs(points[i].variance - noise.rounded(points[i]));
  return sum;
}

/// Finds the floor by trying all, coarse ones first. Where all means lie half way between levels,
/// small floors cannot be told apart, and the smallest is taken.
void find_floor(std::span<const NoisePoint> points, HiddenNoise& noise) {
  constexpr double coarse = 0.02, fine = 0.0025;  // of the variance
  double best = 0, least = std::numeric_limits<double>::max();
  const auto try_from = [&](double first, double last, double step) {
    for (noise.floor = std::max(first, 0.0); noise.floor < last; noise.floor += step)
      if (const double found = misfit(points, noise); found < least) {
        least = found;
        best = noise.floor;
      }
  };
  try_from(0, kLeastSeen + kOfRounding, coarse);
  try_from(best - coarse, best + coarse, fine);
  noise.floor = best;
}

}  // namespace

Moments moments_of_rounded(double mean, double unevenness, double noise) {
  constexpr int samples = 5;  // to both sides
  constexpr double reach = 2.5;
  constexpr double as_even = 0.36;  // means that differ more lie as often at all parts of a step
  if (!(unevenness > 0)) return rounded_around(mean, noise);
  const double deviation = std::sqrt(std::min(unevenness, as_even));
  Moments sum;
  double weights = 0;
  for (int i = -samples; i <= samples; ++i) {
    const double away = reach * i / samples, weight = std::exp(-0.5 * away * away);
    const Moments one = rounded_around(mean + away * deviation, noise);
    sum.mean += weight * one.mean;
    sum.variance += weight * one.variance;
    weights += weight;
  }
  return {sum.mean / weights, sum.variance / weights};
}

RevealedNoise revealed_noise(std::vector<NoisePoint> points, double rounding) {
  const double step = std::sqrt(rounding / kOfRounding);
  std::stable_sort(points.begin(), points.end(),
                   [](const NoisePoint& a, const NoisePoint& b) { return a.mean < b.mean; });
  const std::size_t hidden = count_hidden(points, step);
  const auto seen = points.begin() + static_cast<std::ptrdiff_t>(hidden);
  if (hidden == 0 || static_cast<std::size_t>(points.end() - seen) < kFewestNoiseTiles)
    return {{seen, points.end()}, hidden};
  const NoiseLine line = noise_line({seen, points.end()}, {0, 0});
  std::vector<NoisePoint> dark;
  for (auto point = points.begin(); point != seen; ++point) dark.push_back(in_steps(*point, step));
  HiddenNoise noise{0, std::max(line.slope, 0.0) / step, dark.front().mean};
  find_floor(dark, noise);
  for (std::size_t i = 0; i < hidden; ++i) {
    const double expected = noise.at(dark[i].mean) + kOfRounding;
    const double variance = dark[i].variance + expected - noise.rounded(dark[i]);
    points[i].variance = std::max(variance, kOfRounding) * step * step;
  }
  return {std::move(points), hidden};
}

}  // namespace synthoscope::fit
