// SPDX-License-Identifier: MIT
// simulator/optics/functions/bessel.hpp — Bessel functions of the first kind, quick enough to fill
// tables with.
#pragma once
#include <array>
#include <span>

namespace synthoscope::simulator {

/// Returns J0(x) to J3(x) for x >= 0. Thread-safe.
/// @accuracy  2e-15 absolute up to x = 40, then that plus the rounding of x itself (x 2^-53) times
///            the envelope sqrt(2 / (pi x)).
std::array<double, 4> bessel_j0_to_j3(double x);

/// Computes values[n] = J_n(x) for every n of `values`, which has two or more, and x >= 0: upwards
/// from the first two if x is above the highest order, otherwise downwards (Miller), scaled so that
/// J_0 + 2 J_2 + 2 J_4 + ... = 1.
/// @accuracy  1e-13 absolute below order 200, x below 5000.
void bessel_orders(double x, std::span<double> values);

}  // namespace synthoscope::simulator
