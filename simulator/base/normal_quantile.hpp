// SPDX-License-Identifier: MIT
// simulator/base/normal_quantile.hpp — a standard normal deviate from one uniform.
#pragma once
#include <cmath>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator {

namespace detail {

/// Returns the ratio of two polynomials of degree 7, coefficients from the constant up.
constexpr double ratio_of_degree_7(double r, const double (&above)[8], const double (&below)[8]) {
  double num = above[7], den = below[7];
  for (int i = 6; i >= 0; --i) {
    num = num * r + above[i];
    den = den * r + below[i];
  }
  return num / den;
}

inline constexpr double kMiddleAbove[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                           1.9715909503065514427e3, 1.3731693765509461125e4,
                                           4.5921953931549871457e4, 6.7265770927008700853e4,
                                           3.3430575583588128105e4, 2.5090809287301226727e3};
inline constexpr double kMiddleBelow[8] = {1.0,
                                           4.2313330701600911252e1,
                                           6.8718700749205790830e2,
                                           5.3941960214247511077e3,
                                           2.1213794301586595867e4,
                                           3.9307895800092710610e4,
                                           2.8729085735721942674e4,
                                           5.2264952788528545610e3};
inline constexpr double kOuterAbove[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                          5.76949722146069140550e0,  3.64784832476320460504e0,
                                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
inline constexpr double kOuterBelow[8] = {1.0,
                                          2.05319162663775882187e0,
                                          1.67638483018380384940e0,
                                          6.89767334985100004550e-1,
                                          1.48103976427480074590e-1,
                                          1.51986665636164571966e-2,
                                          5.47593808499534494600e-4,
                                          1.05075007164441684324e-9};
inline constexpr double kFarAbove[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                        1.78482653991729133580e0,  2.96560571828504891230e-1,
                                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
inline constexpr double kFarBelow[8] = {1.0,
                                        5.99832206555887937690e-1,
                                        1.36929880922735805310e-1,
                                        1.48753612908506148525e-2,
                                        7.86869131145613259100e-4,
                                        1.84631831751005468180e-5,
                                        1.42151175831644588870e-7,
                                        2.04426310338993978564e-15};

/// Returns the quantile of a `u` more than 0.425 from the middle.
inline double normal_tail(double u) {
  const double r = std::sqrt(-portable::log(u < 0.5 ? u : 1 - u));
  const double size = r <= 5 ? ratio_of_degree_7(r - 1.6, kOuterAbove, kOuterBelow)
                             : ratio_of_degree_7(r - 5, kFarAbove, kFarBelow);
  return u < 0.5 ? -size : size;
}

}  // namespace detail

/// Returns the z with P(N(0, 1) <= z) = u, for 0 < u < 1. Increasing in u; only + - * / sqrt.
/// @accuracy 1e-15 relative.
/// @source Wichura, algorithm AS 241 (PPND16), Appl. Stat. 37 (1988) 477, doi:10.2307/2347330.
inline double normal_quantile(double u) {
  const double q = u - 0.5;
  if (q < -0.425 || q > 0.425) return detail::normal_tail(u);
  return q *
         detail::ratio_of_degree_7(0.180625 - q * q, detail::kMiddleAbove, detail::kMiddleBelow);
}

}  // namespace synthoscope::simulator
