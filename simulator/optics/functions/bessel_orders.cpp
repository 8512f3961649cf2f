// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/bessel_orders.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/optics/functions/bessel.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns an even order so far above `highest` that higher ones do not change the last bit.
int first_of_miller(int highest, double x) {
  const double top = std::max<double>(highest, x);
  return 2 * static_cast<int>((top + 12 + 6 * std::cbrt(top)) / 2) + 20;
}

}  // namespace

void bessel_orders(double x, std::span<double> values) {
  const int highest = static_cast<int>(values.size()) - 1;
  std::fill(values.begin(), values.end(), 0.0);
  if (x == 0) {
    values[0] = 1;
    return;
  }
  if (x > highest) {
    const auto first = bessel_j0_to_j3(x);
    values[0] = first[0];
    values[1] = first[1];
    for (int n = 1; n < highest; ++n)
      values[static_cast<std::size_t>(n + 1)] =
          2 * n / x * values[static_cast<std::size_t>(n)] - values[static_cast<std::size_t>(n - 1)];
    return;
  }
  constexpr double kLarge = 0x1p500;
  double above = 0, here = 1 / kLarge, even = 0;  // J_(n + 1), J_n, sum of J_2, J_4, ...
  for (int n = first_of_miller(highest, x); n > 0; --n) {
    if (n <= highest) values[static_cast<std::size_t>(n)] = here;
    if (n % 2 == 0) even += here;
    const double below = 2 * n / x * here - above;
    above = here;
    here = below;
    if (std::abs(here) < kLarge) continue;
    here /= kLarge;
    above /= kLarge;
    even /= kLarge;
    for (double& value : values) value /= kLarge;
  }
  values[0] = here;
  const double scale = 1 / (here + 2 * even);
  for (double& value : values) value *= scale;
}

}  // namespace synthoscope::simulator
