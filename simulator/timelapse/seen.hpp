// SPDX-License-Identifier: MIT
// simulator/timelapse/seen.hpp — which objects of a phantom have a voxel, without rendering it.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Returns for each object whether it is the label of any voxel of the grid. Decided as masks are.
/// @throws Interrupted
std::vector<bool> objects_seen(const Phantom& phantom, const RunContext& context);

/// Returns the bytes that objects_seen needs for `objects` objects.
std::int64_t seeing_bytes(std::int64_t objects, const Grid& grid);

}  // namespace synthoscope::simulator
