// SPDX-License-Identifier: MIT
// simulator/optics/bessel_j0.hpp — the Bessel function J0, quick enough to fill tables with.
#pragma once

namespace synthoscope::simulator {

/// J0(x) for x >= 0. @accuracy 2e-15 absolute up to x = 40, then that plus the rounding of x
/// itself (x 2^-53) times the envelope sqrt(2 / (pi x)). Thread-safe.
double bessel_j0(double x);

}  // namespace synthoscope::simulator
