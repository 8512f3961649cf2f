// SPDX-License-Identifier: MIT
// fit/objects/blur_field.hpp — Gaussian blur of a field in memory.
#pragma once
#include <array>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::fit {

/// Blurs a field by a Gaussian, along axes of which the outermost values are continued.
/// @param sigmas  along z, y and x, voxels; below 0.2 nothing is done along that axis
void blur_field(std::vector<float>& field, const Extent3& extent,
                const std::array<double, 3>& sigmas, const RunContext& context);

}  // namespace synthoscope::fit
