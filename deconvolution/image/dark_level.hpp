// SPDX-License-Identifier: MIT
// deconvolution/image/dark_level.hpp — the grey level of an image where there is no object.
#pragma once
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::deconvolution {

/// Returns the level below which 1 % of the image lies, with its noise averaged over blocks of 16 x
/// 16 pixels: of at most 64 planes, evenly spaced. Where objects fill the whole image, it is the
/// level of their dimmest places, which is too high.
/// @throws PlanError    beyond the budget.
/// @throws Interrupted  context.stop was set.
double dark_level(Source& image, const RunContext& context);

}  // namespace synthoscope::deconvolution
