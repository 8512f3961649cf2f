// SPDX-License-Identifier: MIT
// score/surfaces/distance_transform.hpp — the distance of every voxel of a box to the nearest
// marked one.
#pragma once
#include <vector>
#include "core/base/units.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::score {

/// Replaces marks by distances. Exact for voxels of any size.
/// @param field  one number for each voxel, x fastest: 0 for a marked voxel, infinity for another;
///               on return the square of the distance to the nearest marked one in square
///               micrometres, infinity if none is marked
/// @source  P. F. Felzenszwalb, D. P. Huttenlocher, "Distance transforms of sampled functions",
///          Theory of Computing 8 (2012) 415-428.
void squared_distances(std::vector<double>& field, const Extent3& extent, const VoxelSize& pitch);

}  // namespace synthoscope::score
