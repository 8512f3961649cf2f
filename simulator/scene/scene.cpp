// SPDX-License-Identifier: MIT
#include "simulator/scene/scene.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "simulator/base/faults.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/fitted_sizes.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxOfAxis = std::int64_t{1} << 20;  // voxels along an axis, as in files

/// Throws if the number of objects varies in a movie, whose frames have the same ones.
void require_same_numbers(const SceneSpec& scene) {
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::part(scene).count_spread; })
      if (const double spread = Kind::part(scene).count_spread; spread > 0)
        throw InvalidSpec(
            fmt::format("check the scene: {0}.count_spread is {1}, but the frames of a movie have "
                        "the same objects; leave it out, or leave time.interval_seconds out",
                        Kind::kName, spread));
  });
}

/// Throws if objects cannot move as [time] asks.
void require_can_move(const SceneSpec& scene) {
  if (scene.time.is_movie()) require_same_numbers(scene);
  const std::int64_t nuclei = number_of(phantom_of(scene).nuclei, sample_grid(scene));
  if (scene.time.is_movie() && scene.nuclei.mitotic_fraction > 0)
    throw InvalidSpec(fmt::format(
        "check the scene: nuclei.mitotic_fraction is {}, which is for scenes without time, and "
        "time.interval_seconds is given; use time.division = true, which shows mitosis",
        scene.nuclei.mitotic_fraction));
  if (scene.time.division && nuclei > 0 && scene.nuclei.most_lobes > 1)
    throw InvalidSpec(fmt::format(
        "check the scene: time.division is true, and nuclei.most_lobes is {}: nuclei of several "
        "lobes do not divide; use nuclei.most_lobes = 1",
        scene.nuclei.most_lobes));
  const auto [z, y, x] = scene.time.drift_um_per_second;
  const bool drifts = z != 0 || y != 0 || x != 0 || scene.time.focus_drift_um_per_second != 0;
  if (drifts && scene.target.kind == TargetKind::points)
    throw InvalidSpec(
        "check the scene: target.kind is \"points\", which lie in the middle of voxels, and would "
        "not when they drift; use beads, or leave out time.drift_um_per_second and "
        "time.focus_drift_um_per_second");
}

/// Each number by itself.
void require_in_ranges(const SceneSpec& scene) {
  Faults faults;
  for (const SceneKey& key : scene_keys())
    faults.collect([&] {
      try {
        require_in_range(key, key.get(scene));
      } catch (const InvalidSpec& problem) {
        throw InvalidSpec(fmt::format("check the scene: {} {}{}", key.full_name(), problem.what(),
                                      key.unit_note()));
      }
    });
  faults.throw_if_any();
}

void require_whole_bins(const SceneSpec& scene) {
  const std::int64_t bin = scene.camera.binning;
  if (scene.grid.extent.y % bin != 0 || scene.grid.extent.x % bin != 0)
    throw InvalidSpec(
        fmt::format("check the scene: camera.binning is {}, and grid.size {} is not a multiple of "
                    "it along y and x; change one of them",
                    bin, scene.grid.extent));
}

/// The keys of each table together.
void require_valid_tables(const SceneSpec& scene) {
  Faults faults;
  faults.collect([&] { require_valid(phantom_of(scene), sample_grid(scene)); });
  faults.collect([&] { require_valid(scene.time); });
  faults.collect([&] { require_can_move(scene); });
  faults.collect([&] { require_valid(scene.illumination); });
  faults.collect([&] { require_valid(scene.optics); });
  faults.collect([&] { require_valid(scene.camera); });
  faults.collect([&] { require_whole_bins(scene); });
  faults.throw_if_any();
}

void require_oversampling_fits(const SceneSpec& scene) {
  const Extent3 fine = blur_grid(scene).extent;
  if (std::max(fine.y, fine.x) > kMaxOfAxis)
    throw InvalidSpec(fmt::format(
        "check the scene: optics.oversample is {}, which makes {} voxels of grid.size {}, and an "
        "axis has at most {}; lower one of them",
        scene.oversample, fine, scene.grid.extent, kMaxOfAxis));
}

void require_margin(const SceneSpec& scene) {
  const Extent3 sample = sample_grid(scene).extent;
  if (std::max({sample.z, sample.y, sample.x}) > kMaxOfAxis)
    throw InvalidSpec(
        fmt::format("check the scene: grid.margin_um makes a sample of {} voxels, and an axis has "
                    "at most {}; lower it",
                    sample, kMaxOfAxis));
  static_cast<void>(volume(sample));
  if (scene.masks == MaskKind::footprint && scene.grid.extent.z > 1)
    throw InvalidSpec(fmt::format(
        "check the scene: grid.masks is \"footprint\", and grid.size has {} planes, but "
        "a footprint is that of one plane; use grid.size = [1, {}, {}], with "
        "grid.margin_um above and below it, or grid.masks = \"section\"",
        scene.grid.extent.z, scene.grid.extent.y, scene.grid.extent.x));
}

void require_enough_ids(const SceneSpec& scene) {
  const std::int64_t each = number_of(phantom_of(scene), sample_grid(scene));
  if (!scene.time.is_movie() && scene.frames * each > kMaxObjects)
    throw InvalidSpec(fmt::format(
        "check the scene: frames is {} and each has {} objects, {} in all, but ids continue from "
        "frame to frame and end at {}; use fewer of either, or several data sets",
        scene.frames, each, scene.frames * each, kMaxObjects));
}

/// Checks a scene as one channel sees it.
void require_valid_image(const SceneSpec& scene) {
  require_in_ranges(scene);
  static_cast<void>(volume(scene.grid.extent));
  require_margin(scene);
  require_valid_tables(scene);
  Faults faults;
  faults.collect([&] {
    require_oversampling_fits(scene);
    require_pixels_once(scene);
    require_valid(scene.pattern, scene.optics, blur_grid(scene));
  });
  faults.collect([&] { require_enough_ids(scene); });
  faults.throw_if_any();
}

}  // namespace

Extent3 margin_of(const SceneSpec& scene) {
  constexpr double kRounding = 1e-9;  // of a voxel
  const auto voxels = [](double um, double pitch_um) {
    return static_cast<std::int64_t>(std::ceil(um / pitch_um - kRounding));
  };
  const VoxelSize& pitch = scene.grid.pitch;
  return {voxels(scene.margin_um.z_um, pitch.z_um), voxels(scene.margin_um.y_um, pitch.y_um),
          voxels(scene.margin_um.x_um, pitch.x_um)};
}

Grid sample_grid(const SceneSpec& scene) {
  return widened(scene.grid, margin_of(scene));
}

std::array<double, 3> corner_in_sample(const SceneSpec& scene) {
  return size_um({margin_of(scene), scene.grid.pitch});
}

PhantomSpec phantom_of(const SceneSpec& scene) {
  auto spec = static_cast<const PhantomSpec&>(scene);
  const Grid sample = sample_grid(scene);
  const auto to_sample = [corner = corner_in_sample(scene)](std::optional<Point3>& place) {
    if (place) place = point_of(vector_of(*place) + corner);
  };
  to_sample(spec.volume.corner);
  to_sample(spec.neuron.centre);
  spec.adherent.glass_um += corner_in_sample(scene)[0];
  const bool has_others = Kinds::any([&]<class Kind>(Kind) {
    return !std::is_same_v<Kind, kinds::Nuclei> && has_kind<Kind>(spec, sample);
  });
  if (has_others && !spec.nuclei.count && !spec.nuclei.density_per_mm3) spec.nuclei.count = 0;
  fit_sizes(scene, spec);
  return spec;
}

void require_valid(const SceneSpec& scene) {
  require_valid_channels(scene);
  for (const Channel& channel : channels_of(scene))
    with_prefix(channel.name.empty() ? "" : channel.description() + ": ",
                [&] { require_valid_image(channel.scene); });
}

}  // namespace synthoscope::simulator
