// SPDX-License-Identifier: MIT
// fit/blur/blur_plots.hpp — edges and spectra of real images and of a twin, for the report.
#pragma once
#include <vector>
#include "core/base/units.hpp"
#include "fit/blur/blur_statistics.hpp"
#include "fit/estimates/findings.hpp"

namespace synthoscope::fit {

/// Returns a plot for each curve that was measured: points are the real images, the line the twin.
std::vector<Plot> blur_plots(const BlurSamples& real, const BlurSamples& twin,
                             const BlurMeasure& measure, const VoxelSize& pitch);

}  // namespace synthoscope::fit
