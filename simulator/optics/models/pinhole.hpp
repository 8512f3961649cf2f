// SPDX-License-Identifier: MIT
// simulator/optics/models/pinhole.hpp — light that reaches a round detector.
#pragma once
#include "simulator/optics/models/radial_model.hpp"

namespace synthoscope::simulator {

/// Returns a grid of radii `step_um` apart, as wide as through_pinhole needs for the radii of
/// `grid`.
RadialGrid grid_about_disc(const RadialGrid& grid, double disc_um, double step_um);

/// Returns the integral of `light` over a disc of radius `disc_um` around each of the first `radii`
/// radii `step_um` apart: its convolution with the disc. By quadrature over the disc, with
/// `lateral` half the highest lateral angular frequency of the light, 1/um; interpolated as pixels
/// are. The result does not depend on the number of threads.
RadialTable through_pinhole(const RadialTable& light, double disc_um, double lateral,
                            double step_um, std::int64_t radii, TaskPool& pool);

}  // namespace synthoscope::simulator
