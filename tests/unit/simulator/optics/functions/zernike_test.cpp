// SPDX-License-Identifier: MIT
// zernike_test.cpp — Noll's polynomials, and how terms are written.
#include "simulator/optics/functions/zernike.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "core/base/error.hpp"

namespace synthoscope::simulator {
namespace {

TEST(Zernike, HasNollsOrders) {
  constexpr ZernikeOrder kOrders[] = {{0, 0},  {1, 1}, {1, -1}, {2, 0}, {2, -2}, {2, 2},
                                      {3, -1}, {3, 1}, {3, -3}, {3, 3}, {4, 0},  {4, 2},
                                      {4, -2}, {4, 4}, {4, -4}, {5, 1}, {5, -1}, {5, 3},
                                      {5, -3}, {5, 5}, {5, -5}, {6, 0}};
  for (int j = 1; j <= 22; ++j) {
    EXPECT_EQ(order_of(j).degree, kOrders[j - 1].degree) << j;
    EXPECT_EQ(order_of(j).turns, kOrders[j - 1].turns) << j;
  }
  EXPECT_EQ(order_of(kMaxNoll).degree, 10);
}

TEST(Zernike, HasPrintedFormulae) {
  const double r = 0.6, t = 0.7;
  EXPECT_NEAR(zernike(1, r, t), 1, 1e-15);
  EXPECT_NEAR(zernike(3, r, t), 2 * r * std::sin(t), 1e-15);
  EXPECT_NEAR(zernike(4, r, t), std::sqrt(3) * (2 * r * r - 1), 1e-14);
  EXPECT_NEAR(zernike(6, r, t), std::sqrt(6) * r * r * std::cos(2 * t), 1e-14);
  EXPECT_NEAR(zernike(7, r, t), std::sqrt(8) * (3 * r * r * r - 2 * r) * std::sin(t), 1e-14);
  EXPECT_NEAR(zernike(11, r, t), std::sqrt(5) * (6 * std::pow(r, 4) - 6 * r * r + 1), 1e-14);
}

TEST(Zernike, IsOrthonormalOnTheDisc) {
  constexpr int kRings = 400, kAngles = 48;
  for (int a = 1; a <= 37; ++a)
    for (int b = a; b <= 37; b += 3) {
      double mean = 0;
      for (int i = 0; i < kRings; ++i) {
        const double rho = std::sqrt((i + 0.5) / kRings);  // rings of equal area
        for (int k = 0; k < kAngles; ++k) {
          const double theta = 2 * std::numbers::pi * k / kAngles;
          mean += zernike(a, rho, theta) * zernike(b, rho, theta) / (kRings * kAngles);
        }
      }
      EXPECT_NEAR(mean, a == b ? 1 : 0, 1e-3) << a << " " << b;
    }
}

TEST(ZernikeTerms, AreReadAndWritten) {
  const ZernikeTerms terms = parse_zernike(" 5:0.1, 11: -.05 7:2");
  EXPECT_EQ(terms, (ZernikeTerms{{5, 0.1}, {11, -0.05}, {7, 2}}));
  EXPECT_EQ(print(terms), "5: 0.1, 11: -0.05, 7: 2");
  EXPECT_EQ(parse_zernike(print(terms)), terms);
  EXPECT_TRUE(parse_zernike(" ").empty());
}

TEST(ZernikeTerms, OfOtherFormsAndRangesAreRefused) {
  for (const char* text : {"5", "5=0.1", "a:1", "5:x", "5:0.1;7:0.1", "0:1", "67:1", "5:2.1",
                           "5:nan", "5:0.1, 5:0.1", "99999999999:1"})
    EXPECT_THROW(parse_zernike(text), InvalidSpec) << text;
}

}  // namespace
}  // namespace synthoscope::simulator
