// SPDX-License-Identifier: MIT
#include "simulator/blur_setup.hpp"
#include <cmath>
#include <utility>
#include <variant>

namespace synthoscope::simulator {

Emitters emitters_of(const SceneSpec& scene) {
  const bool has_target = number_of(scene.target, scene.grid) > 0;
  const bool has_points = has_target && scene.target.kind == TargetKind::points;
  return {number_of(scene.nuclei, scene.grid) + number_of(scene.beads, scene.grid) > 0 ||
              (has_target && !has_points),
          has_points};
}

Grid blur_grid(const SceneSpec& scene) {
  return refined(scene.grid, scene.oversample);
}

OpticsSpec blur_optics(const SceneSpec& scene) {
  OpticsSpec optics = scene.optics;
  const Emitters emitters = emitters_of(scene);
  if (!optics.pixel_integration)
    optics.pixel_integration = emitters.points && !emitters.extended && scene.oversample == 1 &&
                               optics.model != PsfModel::file;
  return optics;
}

Phantom refined(const Phantom& phantom, std::int64_t n) {
  Phantom finer = phantom;
  finer.grid = refined(phantom.grid, n);
  auto* const points = std::get_if<std::vector<PointTarget>>(&finer.target);
  if (!points) return finer;
  // Whole numbers tell which voxels surround a point; rounded micrometres could miss it
  const auto voxel = [](double um, double pitch_um) {
    return static_cast<std::int64_t>(std::floor(um / pitch_um));
  };
  const VoxelSize& pitch = phantom.grid.pitch;
  std::vector<PointTarget> shares;
  for (const PointTarget& point : *points) {
    const Index3 last{voxel(point.at[0], pitch.z_um), n * voxel(point.at[1], pitch.y_um) + n / 2,
                      n * voxel(point.at[2], pitch.x_um) + n / 2};
    const std::int64_t around = n % 2 == 0 ? 2 : 1;
    for (std::int64_t y = 0; y < around; ++y)
      for (std::int64_t x = 0; x < around; ++x)
        shares.push_back({vector_of(centre_of(finer.grid, {last.z, last.y - y, last.x - x})),
                          point.photons / static_cast<double>(around * around)});
  }
  *points = std::move(shares);
  return finer;
}

PsfSizing blur_sizing(const SceneSpec& scene) {
  PsfSizing sizing;
  sizing.volume = blur_grid(scene).extent;
  sizing.lateral_limit = sizing.lateral_limit / 2 * scene.oversample * 2 + 1;
  return sizing;
}

std::optional<std::string> pixel_warning(const SceneSpec& scene) {
  const bool integrates = *blur_optics(scene).pixel_integration;
  const Emitters emitters = emitters_of(scene);
  if (scene.optics.model == PsfModel::file && !scene.optics.pixel_integration) return std::nullopt;
  if (integrates && emitters.extended)
    return "optics.pixel_integration is on, but the phantom's voxels are averages already: the "
           "blur is one pixel too wide; leave it out";
  if (!integrates && emitters.points && scene.oversample == 1)
    return emitters.extended ? "the scene holds points beside extended objects, and one PSF cannot "
                               "integrate over the pixel for the points alone: their images are "
                               "one pixel too narrow; set optics.oversample = 3"
                             : "optics.pixel_integration is off: images of points are one pixel "
                               "too narrow; leave it out";
  return std::nullopt;
}

}  // namespace synthoscope::simulator
