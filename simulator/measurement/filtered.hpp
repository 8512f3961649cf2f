// SPDX-License-Identifier: MIT
// simulator/measurement/filtered.hpp — a filter on a volume in memory.
#pragma once
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::simulator {

/// Returns the float32 result of an operation on a volume. The caller counts the memory of both.
/// @throws PlanError, Interrupted
Volume<float> filtered(const Volume<float>& image, kernels::Operation& operation,
                       const RunContext& context);

}  // namespace synthoscope::simulator
