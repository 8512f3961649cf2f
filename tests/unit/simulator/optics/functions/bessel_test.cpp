// SPDX-License-Identifier: MIT
// bessel_test.cpp — J0 to J3 agree with the standard library's and with printed values.
#include "simulator/optics/functions/bessel.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::simulator {
namespace {

double exact(int order, double x) {
  return static_cast<double>(std::cyl_bessel_jl(order, static_cast<long double>(x)));
}

double bessel_j(int order, double x) {
  return bessel_j0_to_j3(x)[static_cast<std::size_t>(order)];
}

class Bessel : public testing::TestWithParam<int> {};

TEST_P(Bessel, AgreesWithTheStandardLibraryOnADenseGridAcrossTheSwitch) {
  double worst = 0;
  for (int i = 0; i <= 12000; ++i) {
    const double x = i * 0.005;
    worst = std::max(worst, std::abs(bessel_j(GetParam(), x) - exact(GetParam(), x)));
  }
  EXPECT_LT(worst, 2e-15);
}

TEST_P(Bessel, StaysWithinTheRoundingOfALargeArgument) {
  for (double x = 60; x < 5000; x *= 1.013)
    EXPECT_NEAR(bessel_j(GetParam(), x), exact(GetParam(), x), 2e-15) << x;
}

INSTANTIATE_TEST_SUITE_P(Orders, Bessel, testing::Values(0, 1, 2, 3));

TEST(Bessel, VanishesAtItsTabulatedZeros) {
  // Abramowitz and Stegun, table 9.5
  for (const double zero : {2.404825557695773, 5.520078110286311, 8.653727912911012})
    EXPECT_NEAR(bessel_j(0, zero), 0, 1e-15);
  for (const double zero : {3.831705970207512, 7.015586669815619, 10.17346813506272})
    EXPECT_NEAR(bessel_j(1, zero), 0, 1e-15);
  EXPECT_NEAR(bessel_j(2, 5.135622301840683), 0, 1e-15);
  EXPECT_NEAR(bessel_j(3, 6.380161895923984), 0, 1e-15);
}

TEST(Bessel, StartsAtOneAndAtZero) {
  EXPECT_NEAR(bessel_j(0, 0), 1, 1e-15);
  EXPECT_NEAR(bessel_j(1, 0), 0, 1e-15);
  EXPECT_NEAR(bessel_j(2, 0), 0, 1e-15);
  EXPECT_NEAR(bessel_j(3, 0), 0, 1e-15);
}

}  // namespace
}  // namespace synthoscope::simulator
