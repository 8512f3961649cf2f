// SPDX-License-Identifier: MIT
// simulator/timelapse/seen.hpp — which objects of a phantom have a voxel, without rendering it.
#pragma once
#include <vector>
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Of each object whether it is the label of any voxel of the grid. Decided as masks are.
std::vector<bool> objects_seen(const Phantom& phantom);

}  // namespace synthoscope::simulator
