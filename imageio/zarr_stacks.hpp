// SPDX-License-Identifier: MIT
// imageio/zarr_stacks.hpp — the stacks that a folder of Zarr holds: one per channel and frame.
#pragma once
#include <filesystem>
#include "imageio/chunk_reading.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

struct ZarrStacks {
  ImageInfo info;
  ChunkReading reading;
};

/// `folder` is an OME-Zarr, of which the largest level is read, or one array: a level of it, whose
/// voxel size the folder around it tells, or any other of 2 axes (y, x) or 3 (z, y, x), or of more
/// where Zarr's format 3 names them.
/// @throws IoError, InvalidInput  as open_image.
ZarrStacks read_zarr_stacks(const std::filesystem::path& folder, const InputLimits& limits);

}  // namespace synthoscope::imageio
