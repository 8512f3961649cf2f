// SPDX-License-Identifier: MIT
// tools/jobs/resample_maps.hpp — the options that say where in an image the voxels of a result are
// looked up, and what is read for them.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "imageio/open.hpp"
#include "kernels/coordinates/resampling_grid.hpp"
#include "kernels/coordinates/warp.hpp"
#include "tools/jobs/kernel_job.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// One of them, as it was given.
struct MapOption {
  std::string name;  ///< "rotate"
  std::string text;  ///< "30,y"
};

/// A map, the grid of its results, and what it refers to.
struct MapInUse {
  Extent3 extent;
  KnownPitch pitch;
  std::shared_ptr<const kernels::CoordinateMap> map;
  std::array<HostBuffer<float>, 3> field;
  Reservation field_memory;
};

/// Rows of the options; each writes to `given`, which must outlive the table.
void describe_maps(OptionTable& table, std::vector<MapOption>& given);

/// The only one of them. @throws InvalidSpec  there is none, or several.
const MapOption& the_map(const std::vector<MapOption>& given);

/// Whether the result shows the same space as the image, in other voxels: no outside is asked for.
bool is_same_space(const MapOption& option);

/// Returns whether its text is the name of a file.
bool names_file(const MapOption& option);

/// What `option` asks for. Files that it names are read, and counted as inputs of the job.
/// @param size  of the result, where it was asked for.
/// @throws InvalidSpec, InvalidInput, IoError, PlanError
MapInUse open_map(const MapOption& option, const std::optional<Extent3>& size,
                  const imageio::OpenOptions& limits, KernelJob& job);

}  // namespace synthoscope::tools
