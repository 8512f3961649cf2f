// SPDX-License-Identifier: MIT
#include "fit/texture/texture_statistics.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kWeakContrast = 0.01;    ///< below it a contrast is linear in its square
constexpr double kWeakSkewness = 0.02;    ///< contrast below which skewness is not told
constexpr double kUnlikeContrast = 0.05;  ///< relative
constexpr double kUnlikeSkewness = 0.15, kUnlikeRing = 0.01;

std::vector<std::string> names_of(const TextureRule& rule) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rule.bands(); ++i) names.push_back(fmt::format("contrast {}", i));
  for (std::size_t i = 0; i < rule.bands(); ++i) names.push_back(fmt::format("skewness {}", i));
  for (std::size_t i = 0; i + 1 < kDepthRings; ++i) names.push_back(fmt::format("ring {}", i));
  for (const double share : kQuantileShares) names.push_back(fmt::format("quantile {}", share));
  return names;
}

/// Adds the sums of an object, times a weight.
void add(const ObjectTexture& one, double weight, ObjectTexture& sum) {
  const auto add_all = [weight](const auto& from, auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += weight * from[i];
  };
  sum.pixels += weight * one.pixels;
  sum.noise += weight * one.noise;
  add_all(one.rings, sum.rings);
  add_all(one.in_rings, sum.in_rings);
  add_all(one.quantiles, sum.quantiles);
  add_all(one.squares, sum.squares);
  add_all(one.cubes, sum.cubes);
}

Eigen::VectorXd values_of(const ObjectTexture& sum, const TextureRule& rule) {
  std::vector<double> values, skewnesses;
  for (std::size_t i = 0; i < rule.bands(); ++i) {
    const double power = (sum.squares[i] - rule.noise_shares[i] * sum.noise) / sum.pixels;
    values.push_back(power / std::sqrt(std::abs(power) + kWeakContrast * kWeakContrast));
    const double clear = std::max(power, 0.0) + kWeakSkewness * kWeakSkewness;
    skewnesses.push_back(sum.cubes[i] / sum.pixels / std::pow(clear, 1.5));
  }
  values.insert(values.end(), skewnesses.begin(), skewnesses.end());
  const auto level_of = [&](std::size_t ring) {
    return sum.rings[ring] / std::max(sum.in_rings[ring], 1e-9);
  };
  for (std::size_t ring = 0; ring + 1 < kDepthRings; ++ring)
    values.push_back(level_of(ring) - level_of(kDepthRings - 1));
  for (const double quantile : sum.quantiles) values.push_back(quantile / sum.pixels);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values));
}

}  // namespace

Statistics texture_statistics(const std::vector<ObjectTexture>& objects, const TextureRule& rule) {
  std::vector<double> levels;
  for (const ObjectTexture& one : objects) levels.push_back(one.level);
  const double middle = robust_median(levels);
  return bootstrap(names_of(rule), objects.size(), [&](std::span<const std::size_t> sample) {
    ObjectTexture sum;
    sum.squares.resize(rule.bands());
    sum.cubes.resize(rule.bands());
    for (const std::size_t i : sample) {
      const double bright = std::min(1.0, objects[i].level / middle);
      add(objects[i], bright * bright, sum);
    }
    return values_of(sum, rule);
  });
}

void add_unlike_texture(Statistics& real) {
  for (std::size_t i = 0; i < real.names.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    const std::string& name = real.names[i];
    double deviation = kUnlikeContrast * std::abs(real.values[place]);
    if (name.starts_with("skewness")) deviation = kUnlikeSkewness;
    if (name.starts_with("ring")) deviation = kUnlikeRing;
    real.covariance(place, place) += deviation * deviation;
  }
}

}  // namespace synthoscope::fit
