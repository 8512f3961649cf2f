// SPDX-License-Identifier: MIT
// imageio/zarr/stacks.hpp — the stacks that a folder of Zarr holds: one per channel and frame.
#pragma once
#include <filesystem>
#include "imageio/chunks/reading.hpp"
#include "imageio/image/info.hpp"

namespace synthoscope::imageio {

struct ZarrStacks {
  ImageInfo info;
  ChunkReading reading;
};

/// Opens the largest level of an OME-Zarr image, one level of it (its voxel size comes from the
/// folder around it), or any other array. `options.axes`, the OME-Zarr metadata, the dimension
/// names of Zarr 3 or xarray's `_ARRAY_DIMENSIONS` name the axes; without names, two are y and x,
/// and three are z, y and x.
/// @throws IoError, InvalidInput, InvalidSpec  as open_image.
ZarrStacks read_zarr_stacks(const std::filesystem::path& folder, const OpenOptions& options);

}  // namespace synthoscope::imageio
