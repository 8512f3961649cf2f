// SPDX-License-Identifier: MIT
// simulator/detector/noise/em_register.hpp — electron multiplication: few electrons in, many out.
#pragma once
#include <cstdint>
#include "simulator/detector/noise/poisson.hpp"

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

/// Returns the electrons that leave a multiplication register of mean `gain` >= 1 if `electrons`, a
/// whole number, enter: the limit of many stages, each with a small chance of one more electron. An
/// electron then leaves as a geometric number of mean `gain`; the sum over all is
///
///     electrons + Poisson((gain - 1) * Gamma(electrons))
///
/// exactly, at every gain: a negative binomial is a Poisson of a gamma. The variance is electrons *
/// gain * (gain - 1), so that with Poisson electrons the excess noise factor F^2 is 2 - 1/gain.
/// Deterministic in the two uniforms in (0, 1), and increasing in each.
/// @source Robbins, Hadwen, IEEE Trans. Electron Devices 50 (2003) 1227,
///         doi:10.1109/TED.2003.813462 (F^2); Basden, Haniff, Mackay, MNRAS 345 (2003) 985,
///         doi:10.1046/j.1365-8711.2003.07020.x (the gamma limit of large gains).
inline double multiplied(double electrons, double gain, double gamma_uniform,
                         double poisson_uniform) {
  if (electrons < 1 || gain <= 1) return electrons;
  const double sum = gamma_quantile(static_cast<std::int64_t>(electrons), gamma_uniform);
  return electrons + static_cast<double>(poisson((gain - 1) * sum, poisson_uniform));
}

}  // namespace synthoscope::simulator
