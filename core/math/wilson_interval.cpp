// SPDX-License-Identifier: MIT
#include "core/math/wilson_interval.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope {

ShareInterval wilson_interval(std::int64_t found, std::int64_t all) {
  if (all == 0) return {};
  constexpr double kDeviations = 1.959963984540054;  // of a normal number, for 95 %
  const auto n = static_cast<double>(all);
  const double share = static_cast<double>(found) / n;
  const double square = kDeviations * kDeviations / n;
  const double middle = (share + square / 2) / (1 + square);
  const double half =
      kDeviations / (1 + square) * std::sqrt(share * (1 - share) / n + square / (4 * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace synthoscope
