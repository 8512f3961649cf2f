// SPDX-License-Identifier: MIT
// kernels/operation/run_bricks.hpp — carries out a plan of bricks on the host.
#pragma once
#include <span>
#include "core/run/run_context.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::kernels {

/// Makes every result of `operation` from `source` and writes it to its sink, which stays open.
/// Where windows of consecutive bricks overlap, voxels are read once. A brick is a step of the
/// checkpoint.
/// @param sinks  one for each result, of its extent and type.
/// @throws PlanError    the budget has no space for plan.bytes().
/// @throws Interrupted  context.stop was set.
/// @throws what source, operation and sinks throw.
void run_bricks(const BrickPlan& plan, Operation& operation, Source& source,
                std::span<Sink* const> sinks, const RunContext& context);

}  // namespace synthoscope::kernels
