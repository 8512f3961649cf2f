// SPDX-License-Identifier: MIT
// simulator/phantom/imported_volume.hpp — voxels of files that a phantom consists of, held.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/region.hpp"
#include "simulator/phantom/volume_spec.hpp"

namespace synthoscope::simulator {

/// Voxels of the files; either may be none.
struct FileVoxels {
  std::vector<std::uint16_t> labels;
  std::vector<float> values;
};

/// Voxels where they lie in a grid. Regions look at it; copies share the voxels.
struct ImportedVolume {
  std::shared_ptr<const FileVoxels> voxels;
  LabelVoxels labelled;  ///< looks at `voxels`
  LightVoxels light;     ///< looks at `voxels`
};

/// What holding the voxels of `spec` takes, and reading them, in bytes. Copies of a phantom share
/// them. @throws as survey_volume
std::int64_t volume_bytes(const VolumeSpec& spec);

/// Reads the voxels of a valid `spec` and lays them into `grid`. Null without a volume. Tells
/// context.log where some of it lies outside the grid.
/// @throws IoError, InvalidInput  as survey_volume, or the file is another one by now.
/// @throws Interrupted  context.stop was set.
std::shared_ptr<const ImportedVolume> import_volume(const VolumeSpec& spec, const Grid& grid,
                                                    const RunContext& context);

/// The objects of `volume`, by ascending label of the file.
std::vector<Region> regions_of(const ImportedVolume& volume, const VolumeSpec& spec);

}  // namespace synthoscope::simulator
