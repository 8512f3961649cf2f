// SPDX-License-Identifier: MIT
#include "fit/camera/fit_camera.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>
#include "fit/camera/camera_estimates.hpp"
#include "fit/camera/image_changes.hpp"
#include "fit/camera/noise_band.hpp"
#include "fit/camera/noise_line.hpp"
#include "fit/camera/noise_tiles.hpp"
#include "simulator/calibration/weighted_line.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kMostTiles = 6000;  ///< about so many are enough for a part in a hundred
constexpr std::size_t kFewestNoiseTiles = 30;
constexpr double kMostScatter = 2.5;      ///< of the variances, over that of pure noise
constexpr std::size_t kMostPoints = 300;  ///< of a plot
constexpr double kLeastOverRounding = 2;  ///< variance of noise that rounding does not hide
constexpr double kPatternError = 0.05;    ///< of the variances of a fixed pattern
/// Spreads of gains of 0 to 1.2 %, as data sheets have them: the square, and its deviation.
constexpr SpreadPrior kUsualSpread{0.5e-4, 0.5e-4};

/// Tiles of all images.
struct PooledTiles {
  std::vector<NoiseTile> planes, differences;
};

std::int64_t planes_within(const LabelledImages& images) {
  const Extent3& extent = images.front().grid.extent;
  const std::int64_t of_plane = std::max<std::int64_t>(extent.y * extent.x / 256, 1);
  return std::max<std::int64_t>(kMostTiles / of_plane / static_cast<std::int64_t>(images.size()),
                                2);
}

/// Where light ends, in Nyquist frequencies of the coarser axis.
double cutoff_of(const simulator::SceneSpec& scene) {
  const double per_um = simulator::band_of(scene.optics).lateral / std::numbers::pi;
  return 2 * per_um * std::max(scene.grid.pitch.y_um, scene.grid.pitch.x_um);
}

bool knows_optics(const simulator::SceneSpec& scene) {
  return scene.given.count("optics.na") > 0 || scene.given.count("optics.wavelength_nm") > 0;
}

std::vector<NoisePoint> points_of(const std::vector<NoiseTile>& tiles, int first_ring) {
  std::vector<NoisePoint> points;
  for (const NoiseTile& tile : tiles) points.push_back({tile.mean, power_from(tile, first_ring)});
  return points;
}

/// The relative scatter of the power of pure noise: a Hann window correlates neighbouring
/// frequencies, which leaves one independent pair of 7.56.
double scatter_of_noise(int frequencies) {
  return std::sqrt(7.56 / frequencies);
}

SpreadPrior spread_prior(const simulator::SceneSpec& scene, const StageTask& task) {
  if (!task.is_free("camera.gain_spread") || !task.is_free("camera.preset"))
    return {std::pow(scene.camera.gain_spread, 2), 0};
  if (scene.camera.kind == simulator::CameraKind::counting) return {0, 0};
  return kUsualSpread;
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

/// Leaves out the darkest tiles in which noise is so weak that rounding to grey levels hides it:
/// the error of rounding then depends on the light. Judged by the median of tiles of similar light,
/// so that no tile is left out for its own noise.
/// @source Widrow, Kollar, Quantization Noise, Cambridge University Press (2008): rounding adds
///         1/12 of a squared step if the deviation of what is rounded is at least half a step
std::vector<NoiseTile> without_hidden(std::vector<NoiseTile> tiles, int first_ring,
                                      double rounding) {
  constexpr std::size_t group = 15;
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const NoiseTile& a, const NoiseTile& b) { return a.mean < b.mean; });
  std::size_t hidden = 0;
  for (std::size_t begin = 0; begin + group <= tiles.size(); begin += group) {
    std::vector<double> variances;
    for (std::size_t i = begin; i < begin + group; ++i)
      variances.push_back(power_from(tiles[i], first_ring));
    if (quantile_of(variances, 0.5) < kLeastOverRounding * rounding) hidden = begin + group;
  }
  tiles.erase(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(hidden));
  return tiles;
}

/// Neighbouring differences share a plane: n of them tell as much as 2 n / 3 independent ones.
void enlarge_errors(NoiseLine& line) {
  line.slope_error *= std::sqrt(1.5);
  line.zero_error *= std::sqrt(1.5);
  line.cross *= 1.5;
}

/// The noise of planes beyond that of differences of planes: a line in the square of the light.
FixedPattern fixed_pattern(const std::vector<NoisePoint>& of_planes, const NoiseLine& line) {
  std::vector<simulator::LinePoint> excess;
  double most = 1e-9, least = 1e30;
  for (const NoisePoint& point : of_planes) {
    const double light = point.mean - line.zero;
    most = std::max(most, light);
    const double expected = std::max(line.at(point.mean), 1e-9);
    const double root = std::cbrt(point.variance / expected);
    // Wide enough for a pattern as strong as the noise
    if (root > 1.6) continue;
    least = std::min(least, light * light);
    excess.push_back({light * light, point.variance - expected, line.scatter * expected});
  }
  if (excess.size() < kFewestNoiseTiles) return {};
  const simulator::WeightedLine found = simulator::weighted_line(excess);
  const double dark = line.zero + std::sqrt(least);
  return {std::max(found.intercept, 0.0), std::hypot(found.intercept_error, line.floor_error(dark)),
          std::max(found.slope, 0.0), std::hypot(found.slope_error, line.slope_error / most)};
}

CameraNoise measure(const PooledTiles& tiles, const NoiseBand& band, double rounding,
                    const SpreadPrior& prior) {
  CameraNoise noise;
  noise.band = band;
  noise.rounding = rounding;
  const auto points = points_of(tiles.planes, band.first_ring);
  noise.is_of_differences = tiles.differences.size() >= kFewestNoiseTiles;
  if (noise.is_of_differences) {
    noise.line = noise_line(points_of(tiles.differences, band.first_ring), {0, 0});
    enlarge_errors(noise.line);
    noise.pattern = fixed_pattern(points, noise.line);
  } else {
    noise.line = noise_line(points, prior);
    noise.straight_slope = noise_line(points, {0, 0}).slope;
    noise.pattern = {0, 0, noise.line.spread, noise.line.spread_error};
  }
  noise.tiles =
      static_cast<int>(noise.is_of_differences ? tiles.differences.size() : tiles.planes.size());
  find_darkest(points, noise);
  std::vector<double> means, variances;
  for (const NoisePoint& point : points) {
    means.push_back(point.mean);
    variances.push_back(point.variance);
  }
  noise.range = quantile_of(means, 0.99) - quantile_of(means, 0.01);
  noise.mean_variance = quantile_of(variances, 0.5);
  return noise;
}

Plot transfer_plot(const std::vector<NoiseTile>& tiles, const CameraNoise& noise) {
  Plot plot{"Noise over light",
            "mean of a tile (DN)",
            "variance beyond the optical cut-off (DN^2)",
            {},
            {},
            {},
            {}};
  auto points = points_of(tiles, noise.band.first_ring);
  std::sort(points.begin(), points.end(),
            [](const NoisePoint& a, const NoisePoint& b) { return a.mean < b.mean; });
  const std::size_t shown = std::min(points.size(), kMostPoints);
  for (std::size_t i = 0; i < shown; ++i) {
    const NoisePoint& point = points[i * points.size() / shown];
    plot.x.push_back(point.mean);
    plot.y.push_back(point.variance);
  }
  constexpr int kSteps = 20;
  for (int i = 0; i <= kSteps; ++i) {
    const double mean =
        points.front().mean + i * (points.back().mean - points.front().mean) / kSteps;
    plot.line_x.push_back(mean);
    plot.line_y.push_back(noise.line.at(mean));
  }
  return plot;
}

/// The power of all tiles per frequency; the line marks where the band begins.
Plot spectrum_plot(const std::vector<NoiseTile>& tiles, const NoiseBand& band) {
  Plot plot{"Spectrum", "frequency (Nyquist frequencies)", "power (DN^2)", {}, {}, {}, {}};
  for (int ring = 3; ring < kTileRings; ++ring) {
    double sum = 0;
    for (const NoiseTile& tile : tiles) sum += tile.power[static_cast<std::size_t>(ring)];
    plot.x.push_back((ring + 0.5) / kNyquistRing);
    plot.y.push_back(sum / static_cast<double>(tiles.size()));
  }
  const double at = static_cast<double>(band.first_ring) / kNyquistRing;
  plot.line_x = {at, at};
  plot.line_y = {*std::min_element(plot.y.begin(), plot.y.end()),
                 *std::max_element(plot.y.begin(), plot.y.end())};
  return plot;
}

std::string refusal_of_scatter(const CameraNoise& noise) {
  const double expected = scatter_of_noise(frequencies_from(noise.band.first_ring));
  const double scatter = noise.line.scatter / expected;
  if (scatter < kMostScatter) return {};
  return fmt::format(
      "the noise of tiles of equal light differs {:.1f} times as much as that of a camera: the "
      "images were filtered or combined, or their pixels are too coarse for structure and noise to "
      "be told apart; give them as the camera recorded them",
      scatter);
}

}  // namespace

Findings fit_camera(const StageTask& task, simulator::SceneSpec& scene) {
  Findings found;
  found.stage = Stage::camera;
  const RunContext& context = task.twins.context();
  const bool counts_light = scene.camera.kind == simulator::CameraKind::counting;
  PooledTiles tiles;
  GreyLevels brightest;
  double rounding = 0;
  for (const LabelledImage& image : task.real) {
    const auto view = image.counts.view();
    const GreyLevels levels = grey_levels(view);
    const bool counts_photon = counts_light || (levels.is_cut_below && levels.lowest == 0 &&
                                                counts_photons(view, levels.step));
    if (auto change = change_of_pixels(image, levels, counts_photon)) {
      found.refusal = *change;
      return found;
    }
    TileLimits limits = levels.limits();
    if (counts_photon) limits.low = TileLimits{}.low;
    const std::int64_t planes = planes_within(task.real);
    const auto of_planes = noise_tiles(view, limits, planes, context);
    const auto of_differences = difference_tiles(view, limits, planes, context);
    tiles.planes.insert(tiles.planes.end(), of_planes.begin(), of_planes.end());
    tiles.differences.insert(tiles.differences.end(), of_differences.begin(), of_differences.end());
    rounding = std::max(rounding, levels.rounding());
    if (levels.highest >= brightest.highest) brightest = levels;
  }
  if (tiles.planes.size() < kFewestNoiseTiles) {
    found.refusal = fmt::format(
        "the images have {} tiles of {} x {} pixels without clipped ones, and at least {} are "
        "needed to see how noise grows with light; give larger images, or more of them",
        tiles.planes.size(), kTileSide, kTileSide, kFewestNoiseTiles);
    return found;
  }
  const NoiseBand band = noise_band(tiles.planes, cutoff_of(scene), knows_optics(scene));
  found.plots.push_back(spectrum_plot(tiles.planes, band));
  if (auto change = change_of_noise(tiles.planes, band, rounding)) {
    found.refusal = *change;
    return found;
  }
  const std::size_t all_tiles = tiles.planes.size();
  tiles.planes = without_hidden(std::move(tiles.planes), band.first_ring, rounding);
  tiles.differences = without_hidden(std::move(tiles.differences), band.first_ring, rounding);
  if (tiles.planes.size() < kFewestNoiseTiles) {
    found.refusal =
        "noise is weaker than the steps between grey levels nearly everywhere, so that rounding "
        "hides it: give images of more bits, as the camera recorded them";
    return found;
  }
  if (tiles.planes.size() < all_tiles)
    found.untold.push_back(fmt::format(
        "Rounding to grey levels hides the noise of the darkest {:.0f} % of the image: read noise "
        "is not told.",
        100 - 100 * static_cast<double>(tiles.planes.size()) / static_cast<double>(all_tiles)));
  CameraNoise noise = measure(tiles, band, rounding, spread_prior(scene, task));
  noise.levels = brightest;
  noise.is_eight_bit = task.real.front().type == PixelType::uint8;
  found.plots.insert(
      found.plots.begin(),
      transfer_plot(noise.is_of_differences ? tiles.differences : tiles.planes, noise));
  if (grows_with_light(noise)) found.refusal = refusal_of_scatter(noise);
  if (!found.refusal.empty()) return found;
  estimate_camera(noise, task.fixed, scene, found);
  return found;
}

}  // namespace synthoscope::fit
