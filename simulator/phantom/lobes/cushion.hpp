// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/cushion.hpp — steep sides and a flat top for an ellipsoid.
#pragma once
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {

/// Returns roughness * h + squareness * c. 1 + c is the surface of a cushion: the surface
/// (x^2 + y^2)^2 + z^4 = 1 over its mean radius, in harmonics up to degree 4, which leave out at
/// most 1.2 % of the radius.
Harmonics cushioned(double roughness, const Harmonics& h, double squareness);

}  // namespace synthoscope::simulator
