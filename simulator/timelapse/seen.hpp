// SPDX-License-Identifier: MIT
// simulator/timelapse/seen.hpp — which objects of a phantom have a voxel in its masks.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Returns for each object whether it is the label of any voxel of the grid. Decided as masks are.
/// @param margin  planes of the sample on each side of the grid, which footprints show
/// @throws Interrupted
std::vector<bool> objects_seen(const Phantom& phantom, const RunContext& context,
                               MaskKind masks = MaskKind::section, std::int64_t margin = 0);

/// Returns the bytes that objects_seen needs for `objects` objects.
std::int64_t seeing_bytes(std::int64_t objects, const Grid& grid);

}  // namespace synthoscope::simulator
