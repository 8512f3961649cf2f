// SPDX-License-Identifier: MIT
#include "simulator/detector/noise/poisson.hpp"
#include "simulator/detector/noise/saddle_point.hpp"

namespace synthoscope::simulator::detail {
namespace {

constexpr double kNegligible = 0x1p-60;  // of a sum

/// Returns P(X = n).
/// @source Loader, Fast and accurate computation of binomial probabilities (2000).
double probability(double n, double mean) {
  if (n == 0) return portable::exp_negative(-mean);
  constexpr double kTwoPi = 6.283185307179586;
  return portable::exp_negative(-stirling_error(n) - deviance(n, mean)) / std::sqrt(kTwoPi * n);
}

/// Returns P(X <= n); every term is positive.
double lower_tail(double n, double mean) {
  double term = 1, sum = 1;
  for (double m = n; m > 0 && term > kNegligible * sum; --m) {
    term *= m / mean;
    sum += term;
  }
  return probability(n, mean) * sum;
}

/// Returns P(X > n); every term is positive.
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
