// SPDX-License-Identifier: MIT
// imageio/zarr/stacks.hpp — the stacks that a folder of Zarr holds: one per channel and frame.
#pragma once
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// Opens the largest level of an OME-Zarr image, one level of it (its voxel size comes from the
/// folder around it), or any other array. `options.axes`, the OME-Zarr metadata, the dimension
/// names of Zarr 3 or xarray's `_ARRAY_DIMENSIONS` name the axes; without names, two are y and x,
/// and three are z, y and x.
/// @throws IoError, InvalidInput, InvalidSpec  as open_image.
ImageStacks read_zarr(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
