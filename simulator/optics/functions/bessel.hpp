// SPDX-License-Identifier: MIT
// simulator/optics/functions/bessel.hpp — Bessel functions of the first kind, quick enough to fill
// tables with.
#pragma once
#include <array>

namespace synthoscope::simulator {

/// Returns J0(x) to J3(x) for x >= 0. Thread-safe.
/// @accuracy  2e-15 absolute up to x = 40, then that plus the rounding of x itself (x 2^-53) times
///            the envelope sqrt(2 / (pi x)).
std::array<double, 4> bessel_j0_to_j3(double x);

}  // namespace synthoscope::simulator
