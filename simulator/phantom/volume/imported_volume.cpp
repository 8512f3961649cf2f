// SPDX-License-Identifier: MIT
#include "simulator/phantom/volume/imported_volume.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/phantom/volume/volume_files.hpp"
#include "simulator/phantom/volume/volume_kind.hpp"

namespace synthoscope::simulator {
namespace {

VoxelLattice lattice_of(const VolumeSpec& spec, const Extent3& voxels, const Grid& grid) {
  VoxelLattice lattice{{}, vector_of(pitch_of(spec)), {voxels.z, voxels.y, voxels.x}};
  if (spec.corner) {
    lattice.corner = vector_of(*spec.corner);
    return lattice;
  }
  const Vector3 size = size_um(grid);
  for (std::size_t axis = 0; axis < 3; ++axis)
    lattice.corner[axis] =
        (size[axis] - static_cast<double>(lattice.count[axis]) * lattice.pitch[axis]) / 2;
  return lattice;
}

/// Reads labels, each replaced by its position among `known`, from 1.
std::vector<std::uint16_t> read_labels(const VolumeSpec& spec, const VolumeSurvey& known,
                                       const StopFlag& stop) {
  std::vector<std::uint16_t> labels;
  labels.reserve(static_cast<std::size_t>(volume(known.extent)));
  std::pair<std::int64_t, std::uint16_t> last{0, std::uint16_t{0}};  // labels come in runs
  const auto counted_anew = [&](std::int64_t label) {
    if (label == 0) return std::uint16_t{0};
    const auto found =
        std::lower_bound(known.labels.begin(), known.labels.end(), label,
                         [](const auto& s, auto sought) { return s.label < sought; });
    if (found == known.labels.end() || found->label != label)
      throw InvalidInput(
          fmt::format("read volume.labels {}: label {} was not there when the scene was checked; "
                      "do not change the file while it is in use",
                      spec.labels->string(), label));
    return static_cast<std::uint16_t>(found - known.labels.begin() + 1);
  };
  VolumeFile{"volume.labels", *spec.labels, spec}.for_each_label(
      stop, [&](const Index3&, std::int64_t label) {
        if (label != last.first) last = {label, counted_anew(label)};
        labels.push_back(last.second);
      });
  return labels;
}

std::vector<float> read_light(const VolumeSpec& spec, const VolumeSurvey& known,
                              const StopFlag& stop) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(volume(known.extent)));
  VolumeFile{"volume.intensity", *spec.intensity, spec}.for_each_value(
      stop, [&](const Index3&, double value) {
        values.push_back(static_cast<float>(std::max(0.0, value - spec.background)));
      });
  return values;
}

void require_same_size(std::size_t voxels, const VolumeSurvey& known,
                       const std::filesystem::path& path) {
  if (static_cast<std::int64_t>(voxels) != volume(known.extent))
    throw InvalidInput(
        fmt::format("read {}: it has {} voxels and had {} when the scene was checked; do not "
                    "change the file while it is in use",
                    path.string(), voxels, volume(known.extent)));
}

void tell_what_is_cut(const VoxelLattice& lattice, const Grid& grid, Log& log) {
  const Vector3 size = size_um(grid);
  const auto [low, high] = bounds_of(lattice);
  bool is_cut = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double rounding = 1e-6 * lattice.pitch[axis];
    is_cut = is_cut || low[axis] < -rounding || high[axis] > size[axis] + rounding;
  }
  if (is_cut)
    log.warn(fmt::format(
        "volume: it reaches from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) um, the grid "
        "from 0 to ({:.4g}, {:.4g}, {:.4g}) along z, y, x: what lies outside is left out",
        low[0], low[1], low[2], high[0], high[1], high[2], size[0], size[1], size[2]));
}

}  // namespace

std::int64_t volume_bytes(const VolumeSpec& spec) {
  if (!has_volume(spec)) return 0;
  const VolumeSurvey& known = surveyed(spec);
  const std::int64_t voxel = (spec.labels ? std::int64_t{sizeof(std::uint16_t)} : 0) +
                             (spec.intensity ? std::int64_t{sizeof(float)} : 0);
  return volume(known.extent) * voxel + known.buffer_bytes +
         static_cast<std::int64_t>(known.labels.size() * sizeof(LabelSurvey));
}

std::shared_ptr<const ImportedVolume> import_volume(const VolumeSpec& spec, const Grid& grid,
                                                    const RunContext& context) {
  if (!has_volume(spec)) return nullptr;
  const VolumeSurvey& known = surveyed(spec);
  const VoxelLattice lattice = lattice_of(spec, known.extent, grid);
  tell_what_is_cut(lattice, grid, context.log);
  auto voxels = std::make_shared<FileVoxels>();
  if (spec.labels) {
    voxels->labels = read_labels(spec, known, context.stop);
    require_same_size(voxels->labels.size(), known, *spec.labels);
  }
  if (spec.intensity) {
    voxels->values = read_light(spec, known, context.stop);
    require_same_size(voxels->values.size(), known, *spec.intensity);
  }
  const float* const values = voxels->values.empty() ? nullptr : voxels->values.data();
  return std::make_shared<ImportedVolume>(ImportedVolume{
      voxels, {lattice, voxels->labels.data()}, {lattice, values, spec.photons_per_value}});
}

std::vector<Region> regions_of(const ImportedVolume& imported, const VolumeSpec& spec) {
  std::vector<Region> regions;
  if (!spec.labels) return regions;
  const VolumeSurvey& known = surveyed(spec);
  const VoxelLattice& lattice = imported.labelled.lattice;
  const double voxel_um3 = lattice.pitch[0] * lattice.pitch[1] * lattice.pitch[2];
  regions.reserve(known.labels.size());
  for (const LabelSurvey& s : known.labels) {
    const std::int64_t first[] = {s.first.z, s.first.y, s.first.x},
                       last[] = {s.last.z, s.last.y, s.last.x}, sum[] = {s.sum.z, s.sum.y, s.sum.x};
    const auto voxels = static_cast<double>(s.voxels);
    Region region{&imported.labelled, static_cast<std::uint16_t>(regions.size() + 1), s.label};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto um = [&](double place) {
        return lattice.corner[axis] + place * lattice.pitch[axis];
      };
      region.box.low[axis] = um(static_cast<double>(first[axis]));
      region.box.high[axis] = um(static_cast<double>(last[axis] + 1));
      region.middle[axis] = um(static_cast<double>(sum[axis]) / voxels + 0.5);
    }
    region.um3 = voxels * voxel_um3;
    region.photons_per_um3 = spec.intensity ? 0 : spec.photons_per_um3;
    regions.push_back(region);
  }
  return regions;
}

void move_voxels(std::shared_ptr<const ImportedVolume>& volume, std::vector<Region>& regions,
                 const Vector3& way) {
  auto moved = std::make_shared<ImportedVolume>(*volume);
  for (VoxelLattice* lattice : {&moved->labelled.lattice, &moved->light.lattice})
    lattice->corner = lattice->corner + way;
  for (Region& region : regions) region.voxels = &moved->labelled;
  volume = std::move(moved);
}

void describe(const PlacedObject& placed, const Region& region) {
  TableRow row = placed.row("/region");
  row.whole("file_label", region.file_label);
  row.vector("centroid_um", region.middle);
  row.real("volume_um3", region.um3);
  row.real("photons_per_um3", region.photons_per_um3);
}

}  // namespace synthoscope::simulator
