// SPDX-License-Identifier: MIT
// jobs/light/brightest_part.hpp — the part of an image that shows the most light.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::jobs {

/// Returns an extent of about `voxels` voxels at most within `whole`, of up to `planes` planes, and
/// as square in y and x as `whole` allows.
Extent3 part_extent(const Extent3& whole, std::int64_t voxels, std::int64_t planes);

/// Returns the box of this extent that holds the most light, of boxes that are evenly spaced and
/// cover the image.
/// @param image  float32
/// @throws PlanError  a row of planes is beyond the budget.  @throws Interrupted
Box3 brightest_part(Source& image, const Extent3& extent, const RunContext& context);

}  // namespace synthoscope::jobs
