// SPDX-License-Identifier: MIT
#include "simulator/detector/poisson.hpp"

namespace synthoscope::simulator::detail {
namespace {

constexpr double kNegligible = 0x1p-60;  // of a sum

/// log n! - log(sqrt(2 pi n) (n / e)^n), from its series beyond the table.
double stirling_error(double n) {
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

/// n log(n / mean) + mean - n without cancellation where the two are close.
double deviance(double n, double mean) {
  const double difference = n - mean, sum = n + mean;
  if (std::abs(difference) > 0.1 * sum) return n * portable::log(n / mean) - difference;
  const double v = difference / sum, v2 = v * v;
  double series = 1.0 / 21;
  for (int k = 19; k >= 3; k -= 2) series = series * v2 + 1.0 / k;
  return difference * v + 2 * n * v * v2 * series;
}

/// P(X = n). @source Loader, Fast and accurate computation of binomial probabilities (2000).
double probability(double n, double mean) {
  if (n == 0) return portable::exp_negative(-mean);
  constexpr double kTwoPi = 6.283185307179586;
  return portable::exp_negative(-stirling_error(n) - deviance(n, mean)) / std::sqrt(kTwoPi * n);
}

/// P(X <= n), every term positive.
double lower_tail(double n, double mean) {
  double term = 1, sum = 1;
  for (double m = n; m > 0 && term > kNegligible * sum; --m) {
    term *= m / mean;
    sum += term;
  }
  return probability(n, mean) * sum;
}

/// P(X > n), every term positive.
double upper_tail(double n, double mean) {
  double term = 1, sum = 1;
  for (double m = n + 2; term > kNegligible * sum; ++m) {
    term *= mean / m;
    sum += term;
  }
  return probability(n + 1, mean) * sum;
}

}  // namespace

std::int64_t poisson_by_summation(double mean, double u, std::int64_t guess) {
  const auto reached = [&](std::int64_t n) {
    const auto count = static_cast<double>(n);
    return u <= 0.5 ? lower_tail(count, mean) >= u : upper_tail(count, mean) <= 1 - u;
  };
  std::int64_t n = guess;
  if (reached(n)) {
    while (n > 0 && reached(n - 1)) --n;
    return n;
  }
  do ++n;
  while (!reached(n));
  return n;
}

std::int64_t poisson_by_search(double mean, double u) {
  double term = portable::exp_negative(-mean), sum = term, before = 0;
  std::size_t n = 0;
  while (sum < u && n + 1 < kReciprocals.size()) {
    ++n;
    term *= mean * kReciprocals[n];
    before = sum;
    sum += term;
  }
  if (sum - u < kDoubt || u - before < kDoubt) {
    if (mean == 0) return 0;
    return poisson_by_summation(mean, u, static_cast<std::int64_t>(n));
  }
  return static_cast<std::int64_t>(n);
}

}  // namespace synthoscope::simulator::detail
