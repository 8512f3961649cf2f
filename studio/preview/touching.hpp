// SPDX-License-Identifier: MIT
// studio/preview/touching.hpp — how many objects touch another one.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

/// Counts the objects of a stack of labels, and those of them that share a face of a voxel with
/// another one: an edge or a corner alone does not count.
/// @param labels  uint16; 0: no object
/// @throws PlanError  the budget has no space for one byte per possible label.
ObjectCounts count_objects(const Stack& labels, const RunContext& context);

}  // namespace synthoscope::studio
