// SPDX-License-Identifier: MIT
// simulator/detector/noise/poisson.hpp — Poisson counts by inversion of the distribution function.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include "simulator/base/normal_quantile.hpp"

namespace synthoscope::simulator {

namespace detail {

/// Smaller means are searched upwards from 0; larger ones are expanded around the normal quantile.
inline constexpr double kSearchBelow = 10;

/// Summation decides closer to a step than this, which is far more than the rounding of a search.
inline constexpr double kDoubt = 1e-13;

inline constexpr auto kReciprocals = [] {
  std::array<double, 128> table{};
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = 1.0 / static_cast<double>(i);
  return table;
}();

/// An estimate of the continuous inverse, and a bound of its error.
struct PoissonGuess {
  double x, error;
  bool trusted;
};

/// Returns the Cornish-Fisher expansion of the continuous inverse Q(x, mean) = Phi(w), with s =
/// mean^-1/2. Its error is below s^5 (0.08 + 0.003 w^6) for |w| <= 3.5 and mean >= 10.
inline PoissonGuess expand_poisson(double mean, double w) {
  const double w2 = w * w;
  const double root = std::sqrt(mean), s = 1 / root, s2 = s * s;
  const double c1 = -w * (1.0 / 36 + w2 * (1.0 / 72));
  const double c2 = -8.0 / 405 + w2 * (7.0 / 810 + w2 * (1.0 / 270));
  const double c3 = w * (671.0 / 38880 - w2 * (137.0 / 38880 + w2 * (23.0 / 17280)));
  const double c4 =
      -16.0 / 25515 - w2 * (5189.0 / 408240 - w2 * (5.0 / 3024 + w2 * (19.0 / 34020)));
  const double x =
      mean + (root * w + (1.0 / 3 + w2 * (1.0 / 6) + s * (c1 + s * (c2 + s * (c3 + s * c4)))));
  const double error = s2 * s2 * s * (0.08 + 0.003 * w2 * w2 * w2) + 4e-15 * mean;
  return {x, error, w2 <= 3.5 * 3.5};
}

/// Returns the smallest count whose distribution function reaches u, decided with the distribution
/// function itself, summed from the side of the smaller tail; searched from `guess` >= 0.
__attribute__((noinline)) std::int64_t poisson_by_summation(double mean, double u,
                                                            std::int64_t guess);

/// Returns the same count, by adding up probabilities from 0 while they stay below u.
__attribute__((noinline)) std::int64_t poisson_by_search(double mean, double u);

}  // namespace detail

inline constexpr double kLargestPoissonMean = 1e10;

/// Returns the smallest n with P(X <= n) >= u for X Poisson of `mean`, 0 to kLargestPoissonMean, 0
/// < u < 1.
///
/// One uniform, no rejection: increasing in u and in mean, so neighbouring means give neighbouring
/// counts. Exact to the last count, unless u lies within 1e-13 (relative, of the smaller tail) of a
/// step, where rounding of the distribution function decides. Only + - * / sqrt: the same bits on
/// every host and device.
///
/// Small means are searched from 0; large ones use expand_poisson. If its result is closer to a
/// step than its error, or u is far out, summation decides.
/// @source Giles, ACM Trans. Math. Softw. 42 (2016), algorithm 955, doi:10.1145/2699466; the terms
///         beyond 1/mean were fitted as rationals to a 60-digit inversion of the incomplete gamma
///         function.
inline std::int64_t poisson(double mean, double u) {
  if (mean < detail::kSearchBelow) return detail::poisson_by_search(mean, u);
  const detail::PoissonGuess guess = detail::expand_poisson(mean, normal_quantile(u));
  const auto n = static_cast<std::int64_t>(guess.x);
  const double above = guess.x - static_cast<double>(n);
  if (guess.trusted && above > guess.error && above < 1 - guess.error) return n;
  return detail::poisson_by_summation(mean, u, n > 0 ? n : 0);
}

}  // namespace synthoscope::simulator
