// SPDX-License-Identifier: MIT
// simulator/detector/noise/em_register.hpp — electron multiplication: few electrons in, many out.
#pragma once
#include "simulator/detector/noise/gamma_quantile.hpp"
#include "simulator/detector/noise/poisson.hpp"

namespace synthoscope::simulator {

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
