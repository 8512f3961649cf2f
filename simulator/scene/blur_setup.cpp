// SPDX-License-Identifier: MIT
#include "simulator/scene/blur_setup.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <variant>
#include "core/base/assert.hpp"
#include "simulator/base/frames.hpp"
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the larger pitch along y and x of the grid that light is blurred on.
double widest_um(const SceneSpec& scene) {
  const VoxelSize pitch = blur_grid(scene).pitch;
  return std::max(pitch.y_um, pitch.x_um);
}

/// Returns true if a computed PSF has to be integrated over the pixel, whatever emits.
bool is_coarse(const SceneSpec& scene) {
  return widest_um(scene) > coarsest_sampling_um(scene.optics) * (1 + 1e-9);
}

/// Returns the correlation lengths of white light behind a wide-field lens: sqrt 2 times the
/// standard deviations of a Gaussian as wide as the PSF, 0.21 lambda / NA across and a full width
/// at half maximum of 0.88 lambda / (n - sqrt(n^2 - NA^2)) along z.
/// @source Zhang, Zerubia, Olivo-Marin, Appl. Opt. 46 (2007) 1819 (across); Wilhelm, Confocal laser
///         scanning microscopy, Zeiss, 2011 (along z).
LensGrain lens_grain(const OpticsSpec& optics) {
  constexpr double kWidthOfDeviation = 2.3548200450309493;
  const double um = optics.wavelength_nm / 1000, n = optics.immersion_index, na = optics.na;
  const double axial = 0.88 * um / (n - std::sqrt(std::max(n * n - na * na, 0.0)));
  return {std::sqrt(2.0) * 0.21 * um / na, std::sqrt(2.0) * axial / kWidthOfDeviation};
}

/// Returns a warning for a measured PSF, which holds the extent of its camera's pixels already.
std::optional<std::string> measured_pixel_warning(const SceneSpec& scene,
                                                  const Emitters& emitters) {
  if (emitters.extended && scene.optics.pixel_integration.value_or(false))
    return "optics.pixel_integration is on, but the phantom's voxels are averages already: where "
           "pixels are larger than those of the measured PSF, the blur is too wide by the "
           "difference; leave it out";
  if (emitters.points && scene.oversample > 1)
    return "a measured PSF contains the extent of its camera's pixels, and optics.oversample adds "
           "that of the grid's: images of points are one pixel too wide; leave oversample out";
  return std::nullopt;
}

}  // namespace

Emitters emitters_of(const SceneSpec& scene) {
  const PhantomSpec spec = phantom_of(scene);
  const Grid sample = sample_grid(scene);
  Emitters all;
  Kinds::for_each([&]<class Kind>(Kind) {
    if (!(Kind::weight(scene.light) > 0) || !has_kind<Kind>(spec, sample)) return;
    bool are_points = false;
    if constexpr (requires { Kind::emits_points(Kind::part(spec)); })
      are_points = Kind::emits_points(Kind::part(spec));
    (are_points ? all.points : all.extended) = true;
  });
  return all;
}

std::optional<std::string> dark_warning(const SceneSpec& channel) {
  const Emitters emitters = emitters_of(channel);
  if (emitters.extended || emitters.points) return std::nullopt;
  return "the channel records no light: the objects that its light keys name are absent or dark; "
         "set a light key above 0, or add such objects";
}

Grid blur_grid(const SceneSpec& scene) {
  return refined(sample_grid(scene), scene.oversample);
}

Box3 recorded_part(const SceneSpec& scene) {
  const Extent3 margin = margin_of(scene);
  if (margin == Extent3{}) return {};
  const std::int64_t n = scene.oversample;
  return {{margin.z, n * margin.y, n * margin.x}, refined(scene.grid, n).extent};
}

OpticsSpec blur_optics(const SceneSpec& scene) {
  OpticsSpec optics = scene.optics;
  const Emitters emitters = emitters_of(scene);
  if (optics.pixel_integration) return optics;
  const bool points_alone = emitters.points && !emitters.extended;
  if (optics.model != PsfModel::file)
    optics.pixel_integration = points_alone || is_coarse(scene);
  else if (points_alone && scene.oversample == 1)
    optics.pixel_integration = true;
  return optics;
}

Phantom refined(Phantom finer, std::int64_t n) {
  const Grid coarse = finer.grid;
  finer.grid = refined(coarse, n);
  auto* const points = std::get_if<std::vector<PointTarget>>(&finer.target);
  if (!points || points->empty()) return finer;
  // Find the voxel of a point in whole numbers: rounded micrometres could miss it
  const auto voxel = [](double um, double pitch_um) {
    return static_cast<std::int64_t>(std::floor(um / pitch_um));
  };
  const VoxelSize& pitch = coarse.pitch;
  SYNTHOSCOPE_ASSERT(n % 2, ==, 1);
  for (PointTarget& point : *points)
    point.at = vector_of(centre_of(
        finer.grid, {voxel(point.at[0], pitch.z_um), n * voxel(point.at[1], pitch.y_um) + n / 2,
                     n * voxel(point.at[2], pitch.x_um) + n / 2}));
  return finer;
}

Phantom on_sample_grid(const Phantom& phantom, const SceneSpec& scene) {
  return on_grid(phantom, sample_grid(scene), -1 * Vector3{corner_in_sample(scene)});
}

bool has_own_blur_grid(const SceneSpec& scene) {
  return scene.oversample > 1 || margin_of(scene) != Extent3{};
}

std::optional<Phantom> on_blur_grid(const Phantom& phantom, const SceneSpec& scene) {
  if (!has_own_blur_grid(scene)) return std::nullopt;
  Phantom sample = on_sample_grid(phantom, scene);
  if (scene.oversample == 1) return sample;
  return refined(std::move(sample), scene.oversample);
}
Background background_of(const SceneSpec& scene, std::uint64_t seed, std::int64_t frame) {
  return {scene.background_photons, scene.background, lens_grain(scene.optics), scene.grid,
          scene.time.is_movie() ? seed : frame_seed(seed, frame)};
}

PsfSizing blur_sizing(const SceneSpec& scene) {
  PsfSizing sizing;
  // Light reaches the grid from its own planes and from the margin on one side
  const Extent3 &grid = scene.grid.extent, margin = margin_of(scene);
  const Grid reached{{grid.z + margin.z, grid.y + margin.y, grid.x + margin.x}, scene.grid.pitch};
  sizing.volume = refined(reached, scene.oversample).extent;
  sizing.lateral_limit = sizing.lateral_limit / 2 * scene.oversample * 2 + 1;
  return sizing;
}

void require_pixels_once(const SceneSpec& scene) {
  if (emitters_of(scene).points && scene.oversample % 2 == 0)
    throw InvalidSpec(
        fmt::format("check the scene: optics.oversample is {}, but points lie at the centre of a "
                    "pixel, where an even number of finer voxels has no voxel; make it odd",
                    scene.oversample));
  if (scene.optics.model == PsfModel::file || scene.optics.pixel_integration.value_or(true) ||
      !is_coarse(scene))
    return;
  const double um = coarsest_sampling_um(scene.optics);
  throw InvalidSpec(
      fmt::format("check the scene: optics.pixel_integration is false, and samples of the PSF "
                  "{:.4g} um apart add up to more light than there is, and at most {:.4g} um is "
                  "accepted; leave pixel_integration out, or set optics.oversample = {:.0f}",
                  widest_um(scene), um,
                  std::ceil(widest_um(scene) * static_cast<double>(scene.oversample) / um)));
}

std::optional<std::string> pixel_warning(const SceneSpec& scene) {
  const Emitters emitters = emitters_of(scene);
  if (scene.optics.model == PsfModel::file) return measured_pixel_warning(scene, emitters);
  if (is_coarse(scene)) return std::nullopt;
  const bool integrates = *blur_optics(scene).pixel_integration;
  if (integrates && emitters.extended)
    return "optics.pixel_integration is on, but the phantom's voxels are averages already: the "
           "blur is one pixel too wide; leave it out";
  if (!integrates && emitters.points && scene.oversample == 1)
    return emitters.extended ? "the scene holds points and extended objects, and one PSF cannot "
                               "integrate over the pixel for the points alone: their images are "
                               "one pixel too narrow; set optics.oversample = 3"
                             : "optics.pixel_integration is off: images of points are one pixel "
                               "too narrow; leave it out";
  return std::nullopt;
}

}  // namespace synthoscope::simulator
