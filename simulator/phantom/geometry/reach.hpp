// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/reach.hpp — which voxels an object can touch.
#pragma once
#include "core/base/units.hpp"
#include "core/volume/box.hpp"
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {

/// Returns the voxels of `box` that an object within `bounds` can reach, and one more on each side
/// against rounding.
Box3 voxels_reached(const Bounds& bounds, const VoxelSize& pitch, const Box3& box);

}  // namespace synthoscope::simulator
