// SPDX-License-Identifier: MIT
// simulator/detector/noise/saddle_point.hpp — two terms of discrete distributions, for counts whose
// factorials would overflow.
#pragma once
#include <cmath>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator::detail {

/// Returns log n! - log(sqrt(2 pi n) (n / e)^n), from its series beyond the table.
inline double stirling_error(double n) {
  constexpr double kFirst[16] = {0,
                                 0.08106146679532725822,
                                 0.041340695955409294094,
                                 0.027677925684998339149,
                                 0.020790672103765093112,
                                 0.016644691189821192163,
                                 0.013876128823070747999,
                                 0.011896709945891770095,
                                 0.010411265261972096497,
                                 0.0092554621827127329177,
                                 0.0083305634333628712565,
                                 0.007573675487951840795,
                                 0.0069428401072095298657,
                                 0.0064089941880042070684,
                                 0.0059513701127588477356,
                                 0.005554733551962801371};
  if (n < 16) return kFirst[static_cast<int>(n)];
  const double m = 1 / (n * n);
  return (1.0 / 12 -
          m * (1.0 / 360 -
               m * (1.0 / 1260 - m * (1.0 / 1680 - m * (1.0 / 1188 - m * 691.0 / 360360))))) /
         n;
}

/// Returns n log(n / mean) + mean - n, without cancellation if the two are close.
inline double deviance(double n, double mean) {
  const double difference = n - mean, sum = n + mean;
  if (std::abs(difference) > 0.1 * sum) return n * portable::log(n / mean) - difference;
  const double v = difference / sum, v2 = v * v;
  double series = 1.0 / 21;
  for (int k = 19; k >= 3; k -= 2) series = series * v2 + 1.0 / k;
  return difference * v + 2 * n * v * v2 * series;
}

}  // namespace synthoscope::simulator::detail
