// SPDX-License-Identifier: MIT
#include "fftconv/fft/unit_roots.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::fftconv {

UnitRoots::UnitRoots(std::int64_t order)
    : step_{static_cast<std::int64_t>(std::sqrt(static_cast<double>(order))) + 1} {
  const auto root = [&](std::int64_t m) -> Root {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(m) /
                              static_cast<long double>(order);
    return {std::cos(angle), std::sin(angle)};
  };
  for (std::int64_t m = 0; m < step_; ++m) fine_.push_back(root(m));
  for (std::int64_t m = 0; m < order; m += step_) coarse_.push_back(root(m));
}

}  // namespace synthoscope::fftconv
