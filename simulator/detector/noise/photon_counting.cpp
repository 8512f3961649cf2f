// SPDX-License-Identifier: MIT
#include "simulator/detector/noise/photon_counting.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/base/normal_quantile.hpp"
#include "simulator/detector/noise/poisson.hpp"
#include "simulator/detector/noise/saddle_point.hpp"

namespace synthoscope::simulator {

namespace detail {
namespace {

/// A renewal process with a dead time, by its distribution function.
struct BlindCounter {
  double mean, dead_part, uniform;

  /// Returns the Poisson count of the time that n dead times leave.
  [[nodiscard]] std::int64_t in_the_rest(std::int64_t n) const {
    const double rest = 1 - static_cast<double>(n) * dead_part;
    return rest > 0 ? poisson(mean * rest, uniform) : 0;
  }
  [[nodiscard]] bool reaches(std::int64_t n) const { return in_the_rest(n) <= n; }
};

/// A binomial distribution whose chance is at most one half.
struct Trials {
  double count, chance;

  /// Returns P(X = k).
  /// @source Loader, Fast and accurate computation of binomial probabilities (2000).
  [[nodiscard]] double probability(double k) const {
    constexpr double kTwoPi = 6.283185307179586;
    const double other = 1 - chance, rest = count - k;
    if (k == 0) return portable::exp_negative(count * portable::log(other));
    if (rest == 0) return portable::exp_negative(count * portable::log(chance));
    const double exponent = stirling_error(count) - stirling_error(k) - stirling_error(rest) -
                            deviance(k, count * chance) - deviance(rest, count * other);
    return portable::exp_negative(std::min(exponent, 0.0)) * std::sqrt(count / (kTwoPi * k * rest));
  }

  /// Returns P(X <= k); every term is positive.
  [[nodiscard]] double lower_tail(double k) const {
    const double odds = (1 - chance) / chance;
    double term = 1, sum = 1;
    for (double m = k; m > 0 && term > 0x1p-60 * sum; --m)
      sum += term *= m / (count - m + 1) * odds;
    return probability(k) * sum;
  }

  /// Returns P(X > k); every term is positive.
  [[nodiscard]] double upper_tail(double k) const {
    if (k >= count) return 0;
    const double odds = chance / (1 - chance);
    double term = 1, sum = 1;
    for (double m = k + 1; m < count && term > 0x1p-60 * sum; ++m)
      sum += term *= (count - m) / (m + 1) * odds;
    return probability(k + 1) * sum;
  }

  [[nodiscard]] bool reaches(std::int64_t k, double u) const {
    const auto at = static_cast<double>(k);
    return u <= 0.5 ? lower_tail(at) >= u : upper_tail(at) <= 1 - u;
  }
};

}  // namespace

std::int64_t binomial(std::int64_t trials, double chance, double uniform) {
  if (chance <= 0) return 0;
  if (chance >= 1) return trials;
  // Count the rarer outcome: its numbers are small
  if (chance > 0.5) return trials - binomial(trials, 1 - chance, 1 - uniform);
  const Trials x{static_cast<double>(trials), chance};
  const double mean = x.count * chance;
  const double near = mean + normal_quantile(uniform) * std::sqrt(mean * (1 - chance));
  std::int64_t k = near <= 0 ? 0 : std::min(static_cast<std::int64_t>(near), trials);
  if (x.reaches(k, uniform)) {
    while (k > 0 && x.reaches(k - 1, uniform)) --k;
    return k;
  }
  do ++k;
  while (k < trials && !x.reaches(k, uniform));
  return k;
}

}  // namespace detail

std::int64_t counted_with_dead_time(double mean, double dead_part, double uniform) {
  const std::int64_t free = poisson(mean, uniform);
  if (dead_part <= 0 || free == 0) return free;
  const detail::BlindCounter counter{mean, dead_part, uniform};

  // in_the_rest(n) - n falls by about this much with each further dead time
  const double fall = 1 + mean * dead_part;
  auto n = static_cast<std::int64_t>(static_cast<double>(free) / fall);
  for (int step = 0; step < 8; ++step) {
    const auto excess = static_cast<double>(counter.in_the_rest(n) - n);
    const auto change = static_cast<std::int64_t>(excess / fall);
    if (change == 0) break;
    n = std::max<std::int64_t>(n + change, 0);
  }
  while (!counter.reaches(n)) ++n;
  while (n > 0 && counter.reaches(n - 1)) --n;
  return n;
}

std::int64_t counted_in_one_bit_frames(double mean, std::int64_t frames, double uniform) {
  const double each = mean / static_cast<double>(frames);
  // Close to 0, 1 - exp would lose its digits
  const double chance = each < 1e-3 ? each * (1 - each / 2 * (1 - each / 3 * (1 - each / 4)))
                                    : 1 - portable::exp_negative(-each);
  return detail::binomial(frames, chance, uniform);
}

}  // namespace synthoscope::simulator
