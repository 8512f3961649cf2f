// SPDX-License-Identifier: MIT
// fit/camera/camera_plots.hpp — curves of the camera's noise for the report.
#pragma once
#include <vector>
#include "fit/camera/camera_noise.hpp"
#include "fit/estimates/findings.hpp"

namespace synthoscope::fit {

/// Returns the noise of points over their light, and the line through them.
/// @param points  at least one
Plot transfer_plot(std::vector<NoisePoint> points, const NoiseLine& line);

/// Returns the mean power of all tiles per frequency; the line marks where the band begins.
Plot spectrum_plot(const std::vector<NoiseTile>& tiles, const NoiseBand& band);

}  // namespace synthoscope::fit
