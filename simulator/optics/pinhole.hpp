// SPDX-License-Identifier: MIT
// simulator/optics/pinhole.hpp — light that reaches a round detector.
#pragma once
#include "simulator/optics/radial_model.hpp"

namespace synthoscope::simulator {

/// Radii `step_um` apart that through_pinhole reads to make those of `grid`.
RadialGrid grid_about_disc(const RadialGrid& grid, double disc_um, double step_um);

/// The integral of `light` over a disc of radius `disc_um` around each of the first `radii` radii
/// `step_um` apart: its convolution with the disc. By quadrature over the disc, where `lateral` is
/// half the highest lateral angular frequency of the light, 1/um; interpolated as pixels are. The
/// same for any number of threads.
RadialTable through_pinhole(const RadialTable& light, double disc_um, double lateral,
                            double step_um, std::int64_t radii, TaskPool& pool);

}  // namespace synthoscope::simulator
