// SPDX-License-Identifier: MIT
#include "simulator/detector/noise/em_register.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/base/normal_quantile.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kExpandFrom = 64;

double expanded(double n, double w) {
  const double s = std::sqrt(n), w2 = w * w;
  const double c0 = (w2 - 1) / 3, c1 = w * (w2 - 7) / 36;
  const double c2 = -(w2 * (3 * w2 + 7) - 16) / 810;
  const double c3 = w * (w2 * (9 * w2 + 256) - 433) / 38880;
  const double c4 = (w2 * (w2 * (12 * w2 - 243) - 923) + 1472) / 204120;
  return n + s * w + (c0 + (c1 + (c2 + (c3 + c4 / s) / s) / s) / s);
}

/// The density e^-x x^(shape - 1) / (shape - 1)!, and the probability of one tail.
struct Tail {
  double density, probability;
};

/// Returns P(G > x): the chance of fewer than `shape` events if x are expected.
Tail upper_tail(std::int64_t shape, double x) {
  double term = portable::exp_negative(-x), sum = term;
  for (std::int64_t k = 1; k < shape; ++k) sum += term *= x / static_cast<double>(k);
  return {term, sum};
}

/// Returns P(G <= x), whose terms begin where the upper tail's end.
Tail lower_tail(std::int64_t shape, double x) {
  const double density = upper_tail(shape, x).density;
  double term = density, sum = 0;
  for (std::int64_t k = shape; sum + (term *= x / static_cast<double>(k)) > sum; ++k) sum += term;
  return {density, sum};
}

double refined(std::int64_t shape, double u, double x) {
  const bool is_low = u < 0.5;
  for (int step = 0; step < 8; ++step) {
    const Tail tail = is_low ? lower_tail(shape, x) : upper_tail(shape, x);
    const double excess = is_low ? tail.probability - u : (1 - u) - tail.probability;
    const double newton = excess / tail.density;
    const double bend = 0.5 * newton * (static_cast<double>(shape - 1) / x - 1);
    const double change = newton / std::max(1 - bend, 0.5);
    const double next = std::max(x - change, 0.1 * x);
    const bool is_done = std::abs(next - x) < 1e-13 * x;
    x = next;
    if (is_done) break;
  }
  return x;
}

/// Returns an estimate of the quantile, close enough for a few steps.
double first_guess(std::int64_t shape, double u) {
  const double n = static_cast<double>(shape), ninth = 1 / (9 * n);
  const double root = 1 - ninth + normal_quantile(u) * std::sqrt(ninth);
  if (root > 0.3) return n * root * root * root;
  // Far below: P(G <= x) is close to x^n / n!
  double log_factorial = 0;
  for (std::int64_t k = 2; k <= shape; ++k) log_factorial += portable::log(static_cast<double>(k));
  const double log_x = (portable::log(u) + log_factorial) / n;
  return portable::exp(log_x);
}

}  // namespace

double gamma_quantile(std::int64_t shape, double u) {
  if (shape == 1) return -portable::log(1 - u);
  if (shape < kExpandFrom) return refined(shape, u, first_guess(shape, u));
  return expanded(static_cast<double>(shape), normal_quantile(u));
}

}  // namespace synthoscope::simulator
