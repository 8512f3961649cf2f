// SPDX-License-Identifier: MIT
// simulator/phantom/volume/imported_volume.hpp — voxels of the files that a phantom consists of, in
// memory.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/volume/region.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

/// Voxels of the files; either may be empty.
struct FileVoxels {
  std::vector<std::uint16_t> labels;
  std::vector<float> values;
};

/// Voxels and their place in a grid. Regions refer to it; copies share the voxels.
struct ImportedVolume {
  std::shared_ptr<const FileVoxels> voxels;
  LabelVoxels labelled;  ///< refers to `voxels`
  LightVoxels light;     ///< refers to `voxels`
};

/// Returns the bytes that reading and holding the voxels of `spec` takes. Copies of a phantom share
/// them. @throws as survey_volume
std::int64_t volume_bytes(const VolumeSpec& spec);

/// Reads the voxels of a valid `spec` and places them in `grid`. Returns null without a volume.
/// Warns in context.log if part of the volume lies outside the grid.
/// @throws IoError, InvalidInput  as survey_volume, or the file has changed since.
/// @throws Interrupted  context.stop was set.
std::shared_ptr<const ImportedVolume> import_volume(const VolumeSpec& spec, const Grid& grid,
                                                    const RunContext& context);

/// Returns the objects of `volume`, by ascending label of the file.
std::vector<Region> regions_of(const ImportedVolume& volume, const VolumeSpec& spec);

/// Moves the voxels to which `regions` refer; other copies of `volume` stay where they are.
void move_voxels(std::shared_ptr<const ImportedVolume>& volume, std::vector<Region>& regions,
                 const Vector3& way);

}  // namespace synthoscope::simulator
