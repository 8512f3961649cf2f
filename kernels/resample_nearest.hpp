// SPDX-License-Identifier: MIT
// kernels/resample_nearest.hpp — the voxels that coordinates are nearest to.
#pragma once
#include "kernels/coordinates.hpp"
#include "kernels/outside.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// For each of `count` coordinates the element of the window that is nearest to it; kOutside where
/// nearest_voxel is. The window holds them.
/// @param is_inside  all coordinates are those of the image, and both voxels beside each are held.
void find_nearest_row(const Window& window, Outside outside, bool is_inside,
                      const CoordinateRow& at, int count, std::int64_t* found);

}  // namespace synthoscope::kernels
