// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/sphere.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "core/math/random.hpp"

namespace synthoscope::simulator {
namespace {

/// Mean of z^a y^b x^c over the sphere: (a-1)!! (b-1)!! (c-1)!! / (a+b+c+1)!! for even powers.
double mean_of_monomial(int a, int b, int c) {
  if (a % 2 || b % 2 || c % 2) return 0;
  const auto odd_factorial = [](int n) {
    double product = 1;
    for (int i = n; i > 1; i -= 2) product *= i;
    return product;
  };
  return odd_factorial(a - 1) * odd_factorial(b - 1) * odd_factorial(c - 1) /
         odd_factorial(a + b + c + 1);
}

TEST(SphereQuadrature, IntegratesEveryMonomialUpToDegree31) {
  for (int a = 0; a <= 31; ++a)
    for (int b = 0; a + b <= 31; ++b)
      for (int c = 0; a + b + c <= 31; c += 3) {
        double sum = 0;
        for (const auto& [u, weight] : sphere_quadrature())
          sum += weight * std::pow(u[0], a) * std::pow(u[1], b) * std::pow(u[2], c);
        EXPECT_NEAR(sum, mean_of_monomial(a, b, c), 1e-14) << a << ' ' << b << ' ' << c;
      }
}

TEST(SphereCover, LeavesNoDirectionFartherThanItsAngle) {
  const RandomStream stream{7, RandomStage::phantom};
  double worst = 1;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto words = stream.block(i);
    // The corners of the squares are the worst places: look near the face centres too
    const double spread = i % 2 ? 1.0 : 0.05;
    Vector3 v{1, spread * (2 * uniform32(words[0]) - 1), spread * (2 * uniform32(words[1]) - 1)};
    v = (1 / std::sqrt(dot(v, v))) * v;
    double nearest = -1;
    for (const auto& u : sphere_cover()) nearest = std::max(nearest, dot(u, v));
    worst = std::min(worst, nearest);
  }
  EXPECT_LE(std::acos(worst), kCoverAngle);
  EXPECT_GE(std::acos(worst), 0.9 * kCoverAngle);
}

TEST(SeparatingDirections, AreNinetyEightUnitVectorsInOppositePairs) {
  const auto& directions = separating_directions();
  ASSERT_EQ(directions.size(), 98u);
  for (std::size_t i = 0; i < directions.size(); ++i)
    EXPECT_NEAR(dot(directions[i], directions[97 - i]), -1, 1e-15);
}

}  // namespace
}  // namespace synthoscope::simulator
