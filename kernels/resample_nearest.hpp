// SPDX-License-Identifier: MIT
// kernels/resample_nearest.hpp — voxels copied from where coordinates are nearest.
#pragma once
#include "kernels/coordinates.hpp"
#include "kernels/outside.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// For each of `count` coordinates the voxel nearest to it, in the window's type: values stay what
/// they are. The window holds them.
/// @param fill       where nearest_voxel is outside, converted to the window's type.
/// @param is_inside  all coordinates are those of the image, and both voxels beside each are held.
void copy_nearest_row(const Window& window, Outside outside, bool is_inside, double fill,
                      const CoordinateRow& at, int count, VoxelView to);

}  // namespace synthoscope::kernels
