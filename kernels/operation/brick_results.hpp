// SPDX-License-Identifier: MIT
// kernels/operation/brick_results.hpp — the results of a brick in memory, and how they reach the
// sinks.
#pragma once
#include <span>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::kernels {

/// Returns views of the results of a brick, contiguous in memory of BrickPlan::result_bytes.
std::vector<VoxelView> results_in(std::byte* room, const Extent3& brick,
                                  const std::vector<PixelType>& types);

/// Writes each result of `box` to its sink plane by plane, several planes at once if the sink
/// accepts boxes in any order.
/// @throws what the sinks throw.
void write_results(std::span<Sink* const> sinks, const Box3& box,
                   std::span<const VoxelView> results, TaskPool& pool);

/// Asserts that each result has a sink of its extent and type.
void require_sinks(std::span<Sink* const> sinks, const Operation& operation);

}  // namespace synthoscope::kernels
