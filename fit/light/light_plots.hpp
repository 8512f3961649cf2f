// SPDX-License-Identifier: MIT
// fit/light/light_plots.hpp — brightness of objects and profiles of the background, real and twin.
#pragma once
#include <vector>
#include "fit/estimates/findings.hpp"
#include "fit/light/light_statistics.hpp"

namespace synthoscope::fit {

/// Returns a histogram of the brightness of objects, and the background along x and along y: points
/// are those of the real images, lines those of the twin. A plot that would be empty is left out.
std::vector<Plot> light_plots(const LightSample& real, const LightSample& twin);

}  // namespace synthoscope::fit
