// SPDX-License-Identifier: MIT
// bessel_j0_test.cpp — J0 agrees with the standard library's and with printed values.
#include "simulator/optics/bessel_j0.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::simulator {
namespace {

TEST(BesselJ0, AgreesWithTheStandardLibraryOnADenseGridAcrossTheSwitch) {
  double worst = 0;
  for (int i = 0; i <= 12000; ++i) {
    const double x = i * 0.005;
    const double exact = static_cast<double>(std::cyl_bessel_jl(0.0L, static_cast<long double>(x)));
    worst = std::max(worst, std::abs(bessel_j0(x) - exact));
  }
  EXPECT_LT(worst, 2e-15);
}

TEST(BesselJ0, StaysWithinTheRoundingOfALargeArgument) {
  for (double x = 60; x < 5000; x *= 1.013) {
    const double exact = static_cast<double>(std::cyl_bessel_jl(0.0L, static_cast<long double>(x)));
    EXPECT_NEAR(bessel_j0(x), exact, 2e-15) << x;
  }
}

TEST(BesselJ0, VanishesAtItsTabulatedZeros) {
  // Abramowitz and Stegun, table 9.5
  for (const double zero : {2.404825557695773, 5.520078110286311, 8.653727912911012})
    EXPECT_NEAR(bessel_j0(zero), 0, 1e-15);
  EXPECT_NEAR(bessel_j0(0), 1, 1e-15);
}

}  // namespace
}  // namespace synthoscope::simulator
