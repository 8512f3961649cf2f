// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/gauss_legendre.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

struct Legendre {
  double value, derivative;
};

Legendre legendre(std::int64_t degree, double x) {
  double previous = 1, value = x;
  for (std::int64_t m = 2; m <= degree; ++m) {
    const double k = static_cast<double>(m);
    const double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
    previous = value;
    value = next;
  }
  return {value, static_cast<double>(degree) * (x * value - previous) / (x * x - 1)};
}

}  // namespace

Quadrature gauss_legendre(std::int64_t count, double low, double high) {
  const auto size = static_cast<std::size_t>(count);
  const double n = static_cast<double>(count), half = 0.5 * (high - low);
  Quadrature rule{std::vector<double>(size), std::vector<double>(size)};
  for (std::size_t i = 0; i < (size + 1) / 2; ++i) {  // the other half is its mirror image
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5);
    double x = (1 - (n - 1) / (8 * n * n * n)) * std::cos(angle);
    for (int step = 0; step < 6; ++step) {
      const Legendre p = legendre(count, x);
      const double change = p.value / p.derivative;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    const double slope = legendre(count, x).derivative;
    const double weight = 2 * half / ((1 - x * x) * slope * slope);
    rule.nodes[i] = low + half * (1 - x);
    rule.nodes[size - 1 - i] = low + half * (1 + x);
    rule.weights[i] = rule.weights[size - 1 - i] = weight;
  }
  return rule;
}

}  // namespace synthoscope::simulator
