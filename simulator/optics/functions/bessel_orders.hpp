// SPDX-License-Identifier: MIT
// simulator/optics/functions/bessel_orders.hpp — Bessel functions of many orders at one argument.
#pragma once
#include <span>

namespace synthoscope::simulator {

/// Computes values[n] = J_n(x) for every n of `values`, which has two or more, and x >= 0: upwards
/// from the first two if x is above the highest order, otherwise downwards (Miller), scaled so that
/// J_0 + 2 J_2 + 2 J_4 + ... = 1.
/// @accuracy  1e-13 absolute below order 200, x below 5000.
void bessel_orders(double x, std::span<double> values);

}  // namespace synthoscope::simulator
