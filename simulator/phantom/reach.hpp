// SPDX-License-Identifier: MIT
// simulator/phantom/reach.hpp — which voxels an object can touch.
#pragma once
#include "core/base/units.hpp"
#include "core/volume/box.hpp"
#include "simulator/phantom/body.hpp"

namespace synthoscope::simulator {

/// The voxels of `box` that what lies within `bounds` can reach; one is added on each side against
/// rounding.
Box3 voxels_reached(const Bounds& bounds, const VoxelSize& pitch, const Box3& box);

}  // namespace synthoscope::simulator
