// SPDX-License-Identifier: MIT
// jobs/light/blurred_difference.hpp — how different two volumes are at a limited resolution.
#pragma once
#include <array>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::jobs {

/// Returns the sum of the squares of a - b, blurred by a Gaussian with its faces repeated.
/// @param a, b    float32, of the same extent
/// @param sigmas  standard deviations along z, y and x in voxels, 0 along axes of one voxel
/// @throws PlanError  beyond the budget.  @throws Interrupted
double blurred_difference(Source& a, Source& b, const std::array<double, 3>& sigmas,
                          const RunContext& context);

}  // namespace synthoscope::jobs
