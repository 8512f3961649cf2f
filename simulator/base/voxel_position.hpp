// SPDX-License-Identifier: MIT
// simulator/base/voxel_position.hpp — a position between voxels.
#pragma once

namespace synthoscope::simulator {

/// A position in voxels: 0 is the middle of the first voxel.
struct VoxelPosition {
  double z = 0, y = 0, x = 0;
};

}  // namespace synthoscope::simulator
