// SPDX-License-Identifier: MIT
// normal_quantile_test.cpp — the quantile inverts the error function.
#include "simulator/base/normal_quantile.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// P(N(0, 1) <= z) without losing the lower tail.
long double normal_cdf(long double z) {
  return 0.5L * std::erfc(-z / std::sqrt(2.0L));
}

TEST(NormalQuantile, InvertsTheErrorFunctionDownToTheSmallestUniform) {
  for (double u = 0x1p-53; u <= 0.5; u *= 1.0371) {
    const long double z = normal_quantile(u);
    // Step of Newton: how far z is from the exact quantile, relative
    const long double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846L);
    const long double miss = (normal_cdf(z) - u) / density;
    EXPECT_LT(static_cast<double>(std::abs(miss)), 1.5e-15 * std::max(1.0, -normal_quantile(u)))
        << u;
  }
}

TEST(NormalQuantile, IsOddAboutTheMiddle) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (double u = 0x1p-40; u < 0.5; u *= 1.7)
    EXPECT_NEAR(normal_quantile(u), -normal_quantile(1 - u), 1e-3 * u + 1e-14 / u * 0x1p-10) << u;
}

TEST(NormalQuantile, NeverFallsWhereItsBranchesMeet) {
  for (const double joint : {0.075, 0.925, 1.388794386496402e-11})
    for (double u = joint * (1 - 1e-9); u < joint * (1 + 1e-9); u += joint * 1e-11)
      EXPECT_LE(normal_quantile(u), normal_quantile(u + joint * 1e-11));
}

}  // namespace
}  // namespace synthoscope::simulator
