// SPDX-License-Identifier: MIT
// simulator/detector/noise/gamma_quantile.hpp — a gamma deviate of whole shape from one uniform.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Returns the x with P(G <= x) = u for G of the gamma distribution with `shape` >= 1 and scale 1,
/// for 0 < u < 1: the sum of `shape` exponential deviates. Increasing in u and in shape; only
/// + - * / sqrt, so the same bits on every host and device.
///
/// Shape 1: -log(1 - u). Below 64: Halley steps on the finite sum of the smaller tail. From 64 on
/// the Cornish-Fisher expansion to shape^-2.
/// @accuracy 1e-11 relative below shape 64, or 1e-16 if that is more; from 64 on within 1e-4 of a
///           standard deviation out to six of them, 4e-6 out to four, and less for larger shapes.
/// @source Wilson, Hilferty, PNAS 17 (1931) 684 (the first guess); Abramowitz, Stegun, Handbook of
///         Mathematical Functions, 26.2.49 and 26.4 (the expansion).
__attribute__((noinline)) double gamma_quantile(std::int64_t shape, double u);

}  // namespace synthoscope::simulator
