// SPDX-License-Identifier: MIT
#include "fit/camera/camera_noise.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include "simulator/calibration/weighted_line.hpp"

namespace synthoscope::fit {
namespace {

/// Overlapping windows share a part of the noise: of Hann windows that overlap by half along an
/// axis 3/35 of the variance of their power, half of it with each neighbour. Along two axes a sum
/// over all tiles varies as much as over so many times fewer independent ones, along three in
/// blocks.
constexpr double kSharedAlongAxis = 1 + 3.0 / 35;
constexpr double kSharedByTiles = kSharedAlongAxis * kSharedAlongAxis;
constexpr double kSharedByBlocks = kSharedByTiles * kSharedAlongAxis;
/// Neighbouring differences share a plane: n of them tell as much as 2 n / 3 independent ones.
constexpr double kSharedByDifferences = 1.5 * kSharedByTiles;

/// The relative scatter of the power of pure noise: a Hann window correlates neighbouring
/// frequencies, which leaves one independent pair of 7.56.
double scatter_of_noise(int frequencies) {
  return std::sqrt(7.56 / frequencies);
}

/// The mean of the darkest tiles, and its error: the mean of all is too bright for an offset.
void find_darkest(const std::vector<NoisePoint>& points, CameraNoise& noise) {
  const auto darkest =
      std::min_element(points.begin(), points.end(),
                       [](const NoisePoint& a, const NoisePoint& b) { return a.mean < b.mean; });
  noise.dark_mean = darkest->mean;
  // The square of a Hann window averages some 270 of the 1024 pixels
  noise.dark_mean_error = std::sqrt(std::max(darkest->variance, 0.0) / 270);
}

double quantile_of(std::vector<double> values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The noise of planes beyond that of differences of planes: a line in the square of the light.
FixedPattern fixed_pattern(const std::vector<NoisePoint>& of_planes, const NoiseLine& line) {
  std::vector<simulator::LinePoint> excess;
  double most = 1e-9, least = 1e30;
  for (const NoisePoint& point : of_planes) {
    const double light = point.mean - line.zero, square = light * light + point.unevenness;
    most = std::max(most, light);
    const double expected = std::max(line.at(point.mean), 1e-9);
    const double root = std::cbrt(point.variance / expected);
    // Wide enough for a pattern as strong as the noise
    if (root > 1.6) continue;
    least = std::min(least, square);
    excess.push_back({square, point.variance - expected, line.scatter * expected});
  }
  if (excess.size() < kFewestNoiseTiles) return {};
  const simulator::WeightedLine found = simulator::weighted_line(excess);
  const double dark = line.zero + std::sqrt(least);
  return {std::max(found.intercept, 0.0), std::hypot(found.intercept_error, line.floor_error(dark)),
          std::max(found.slope, 0.0), std::hypot(found.slope_error, line.slope_error / most)};
}

/// What the line says of differences between pixels.
void fit_line(const NoisePoints& points, const SpreadPrior& prior, CameraNoise& noise) {
  if (points.blocks.size() >= kFewestNoiseTiles) {
    noise.is_of_differences = true;
    noise.line = noise_line(points.blocks, {0, 0}, kSharedByBlocks);
    noise.pattern = {0, 0, prior.square, prior.deviation, false};
    noise.pure_scatter = points.scatter_of_blocks;
    return;
  }
  noise.pure_scatter = scatter_of_noise(frequencies_from(noise.band.first_ring));
  noise.is_of_differences = points.differences.size() >= kFewestNoiseTiles;
  if (noise.is_of_differences) {
    noise.line = noise_line(points.differences, {0, 0}, kSharedByDifferences);
    noise.pattern = fixed_pattern(points.planes, noise.line);
  } else {
    noise.line = noise_line(points.planes, prior, kSharedByTiles);
    const NoiseLine straight = noise_line(points.planes, {0, 0}, kSharedByTiles);
    noise.straight_slope = straight.slope;
    noise.pattern = {0, 0, noise.line.spread, noise.line.spread_error, true};
    noise.is_growth_shared = !noise.line.rises() && straight.rises();
    if (!noise.is_growth_shared) return;
    noise.line = straight;
    noise.pattern = {0, 0, 0, prior.deviation, false};
  }
}

}  // namespace

std::vector<NoisePoint> noise_points(const std::vector<NoiseTile>& tiles, const NoiseBand& band) {
  std::vector<NoisePoint> points;
  for (const NoiseTile& tile : tiles) {
    const double noise = power_from(tile, band.first_ring);
    points.push_back({tile.mean, noise, std::max(tile.variance - noise, 0.0)});
  }
  return points;
}

CameraNoise camera_noise(const NoisePoints& points, const NoiseBand& band, double rounding,
                         const SpreadPrior& prior) {
  CameraNoise noise;
  noise.band = band;
  noise.rounding = rounding;
  fit_line(points, prior, noise);
  find_darkest(points.planes, noise);
  const bool has_blocks = points.blocks.size() >= kFewestNoiseTiles;
  noise.tiles = static_cast<int>(has_blocks                ? points.blocks.size()
                                 : noise.is_of_differences ? points.differences.size()
                                                           : points.planes.size());
  std::vector<double> means, variances;
  for (const NoisePoint& point : has_blocks ? points.blocks : points.planes) {
    means.push_back(point.mean);
    variances.push_back(point.variance);
  }
  noise.range = quantile_of(means, 0.99) - quantile_of(means, 0.01);
  noise.mean_variance = quantile_of(variances, 0.5);
  return noise;
}

}  // namespace synthoscope::fit
