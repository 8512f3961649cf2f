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
#include "fit/camera/camera_noise.hpp"
#include "fit/camera/camera_plots.hpp"
#include "fit/camera/free_waves.hpp"
#include "fit/camera/hidden_noise.hpp"
#include "fit/camera/image_changes.hpp"
#include "fit/camera/noise_blocks.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kMostTiles = 6000;  ///< about so many are enough for a part in a hundred
constexpr double kMostScatter = 2.5;       ///< of the variances, over that of pure noise
constexpr std::int64_t kMostBlocks = 1000;
constexpr double kLeastFreeShare = 0.01;  ///< of the waves of a block
/// Spreads of gains of 0 to 1.2 %, as data sheets have them: the square, and its deviation.
constexpr SpreadPrior kUsualSpread{0.5e-4, 0.5e-4};

/// What is read of all images.
struct PooledTiles {
  std::vector<NoiseTile> planes, differences;
  std::vector<TileLimits> limits;  ///< of each image
  GreyLevels brightest;            ///< of the image with the highest value
  double rounding = 0;             ///< variance, DN^2
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

SpreadPrior spread_prior(const simulator::SceneSpec& scene, const StageTask& task) {
  if (!task.is_free("camera.gain_spread") || !task.is_free("camera.preset"))
    return {std::pow(scene.camera.gain_spread, 2), 0};
  if (scene.camera.kind == simulator::CameraKind::counting) return {0, 0};
  return kUsualSpread;
}

std::string refusal_of_scatter(const CameraNoise& noise) {
  const double scatter = noise.line.scatter / noise.pure_scatter;
  if (scatter < kMostScatter) return {};
  return fmt::format(
      "the noise of tiles of equal light differs {:.1f} times as much as that of a camera: the "
      "images were filtered or combined, or their pixels are too coarse for structure and noise to "
      "be told apart; give them as the camera recorded them",
      scatter);
}

/// Returns the tiles of all images, or why an image was changed.
std::string pool_tiles(const StageTask& task, bool counts_light, PooledTiles& tiles) {
  const RunContext& context = task.twins.context();
  const std::int64_t planes = planes_within(task.real);
  for (const LabelledImage& image : task.real) {
    const auto view = image.counts.view();
    const GreyLevels levels = grey_levels(view);
    const bool counts_photon = counts_light || (levels.is_cut_below && levels.lowest == 0 &&
                                                counts_photons(view, levels.step));
    if (auto change = change_of_pixels(image, levels, counts_photon)) return *change;
    TileLimits limits = levels.limits();
    if (counts_photon) limits.low = TileLimits{}.low;
    const auto of_planes = noise_tiles(view, limits, planes, context);
    const auto of_differences = difference_tiles(view, limits, planes, context);
    tiles.planes.insert(tiles.planes.end(), of_planes.begin(), of_planes.end());
    tiles.differences.insert(tiles.differences.end(), of_differences.begin(), of_differences.end());
    tiles.limits.push_back(limits);
    tiles.rounding = std::max(tiles.rounding, levels.rounding());
    if (levels.highest >= tiles.brightest.highest) tiles.brightest = levels;
  }
  if (tiles.planes.size() >= kFewestNoiseTiles) return {};
  return fmt::format(
      "the images have {} tiles of {} x {} pixels without clipped ones, and at least {} are "
      "needed to see how noise grows with light; give larger images, or more of them",
      tiles.planes.size(), kTileSide, kTileSide, kFewestNoiseTiles);
}

/// Where planes have no band without light, a stack may have waves without it: none of a stack that
/// is too thin or too coarse, or whose optics are only assumed.
void measure_blocks(const StageTask& task, const simulator::SceneSpec& scene,
                    const PooledTiles& tiles, NoiseBand& band, NoisePoints& points) {
  std::int64_t least = task.real.front().grid.extent.z;
  for (const LabelledImage& image : task.real) least = std::min(least, image.grid.extent.z);
  const int planes = planes_of_blocks(least);
  if (!band.may_hold_light || !knows_optics(scene) || planes == 0) return;
  const FreeWaves free =
      free_waves(OpticalSupport{scene.optics}, scene.grid.pitch, planes, kTileSide);
  if (free.share < kLeastFreeShare) return;
  const std::int64_t most =
      std::max<std::int64_t>(kMostBlocks / static_cast<std::int64_t>(task.real.size()), 1);
  for (std::size_t i = 0; i < task.real.size(); ++i) {
    const auto blocks =
        noise_blocks(task.real[i].counts.view(), tiles.limits[i], free, most, task.twins.context());
    points.blocks.insert(points.blocks.end(), blocks.begin(), blocks.end());
  }
  points.blocks = revealed_noise(std::move(points.blocks), tiles.rounding).points;
  if (points.blocks.size() < kFewestNoiseTiles) return;
  points.scatter_of_blocks = scatter_of_blocks(free);
  band = {band.first_ring, BandFrom::support_of_stack, free.share, 1, false};
}

void say_hidden(double share, Findings& found) {
  if (share > 0)
    found.untold.push_back(
        fmt::format("In the darkest {:.0f} % of the image noise is weaker than half a step between "
                    "grey levels: "
                    "there it follows from how often pixels alternate between two levels.",
                    100 * share));
}

}  // namespace

Findings fit_camera(const StageTask& task, simulator::SceneSpec& scene) {
  Findings found;
  found.stage = Stage::camera;
  PooledTiles tiles;
  found.refusal = pool_tiles(task, scene.camera.kind == simulator::CameraKind::counting, tiles);
  if (!found.refusal.empty()) return found;
  NoiseBand band = noise_band(tiles.planes, cutoff_of(scene), knows_optics(scene));
  found.plots.push_back(spectrum_plot(tiles.planes, band));
  if (auto change = change_of_noise(tiles.planes, band, tiles.rounding)) {
    found.refusal = *change;
    return found;
  }
  const RevealedNoise planes = revealed_noise(noise_points(tiles.planes, band), tiles.rounding);
  NoisePoints points{planes.points,
                     revealed_noise(noise_points(tiles.differences, band), tiles.rounding).points,
                     {},
                     0};
  measure_blocks(task, scene, tiles, band, points);
  if (points.planes.size() < kFewestNoiseTiles) {
    found.refusal =
        "noise is weaker than the steps between grey levels nearly everywhere, so that rounding "
        "hides it: give images of more bits, as the camera recorded them";
    return found;
  }
  say_hidden(static_cast<double>(planes.hidden) / static_cast<double>(tiles.planes.size()), found);
  CameraNoise noise = camera_noise(points, band, tiles.rounding, spread_prior(scene, task));
  noise.levels = tiles.brightest;
  noise.is_eight_bit = task.real.front().type == PixelType::uint8;
  const auto& shown = band.from == BandFrom::support_of_stack ? points.blocks
                      : noise.is_of_differences               ? points.differences
                                                              : points.planes;
  found.plots.insert(found.plots.begin(), transfer_plot(shown, noise.line));
  if (grows_with_light(noise)) found.refusal = refusal_of_scatter(noise);
  if (!found.refusal.empty()) return found;
  estimate_camera(noise, task.fixed, scene, found);
  return found;
}

}  // namespace synthoscope::fit
