// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "fftconv/fft/line_plan.hpp"

namespace synthoscope::fftconv {
namespace {

// Angles up to 2 pi are rounded at 2^-64 of them, here and there, in three steps: 2^-59. A double
// near 1 is rounded at 2^-54.
constexpr double kAngleRounding = 0x1p-59;

TEST(UnitRoots, AreAsOneSineAndCosineForEachGivesThem) {
  for (const std::int64_t order : {1, 2, 3, 4, 5, 12, 60, 1000, 1001, 65536, 99999}) {
    const UnitRoots roots{order};
    for (std::int64_t m = 0; m < order; ++m) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(m) /
                                static_cast<long double>(order);
      EXPECT_NEAR(static_cast<double>(roots.at(m).real() - std::cos(angle)), 0, kAngleRounding)
          << m << " of " << order;
      EXPECT_NEAR(static_cast<double>(roots.at(m).imag() - std::sin(angle)), 0, kAngleRounding)
          << m << " of " << order;
    }
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
