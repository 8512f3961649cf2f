// SPDX-License-Identifier: MIT
#include "simulator/phantom/lobes/harmonics.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "simulator/phantom/geometry/sphere.hpp"

namespace synthoscope::simulator {
namespace {

Harmonics single(int l, int m) {
  Harmonics h{kMaxDegree};
  h.coefficient(l, m) = 1;
  return h;
}

TEST(Harmonics, AreOrthonormalOverTheSphere) {
  for (int l = 0; l <= kMaxDegree; ++l)
    for (int m = -l; m <= l; ++m)
      for (int k = 0; k <= kMaxDegree; ++k)
        for (int n = -k; n <= k; ++n) {
          if (k < l) continue;
          const auto a = single(l, m), b = single(k, n);
          double product = 0;
          for (const auto& [u, weight] : sphere_quadrature()) product += weight * a(u) * b(u);
          ASSERT_NEAR(product, l == k && m == n ? 1 : 0, 1e-13)
              << l << ',' << m << " and " << k << ',' << n;
        }
}

TEST(Harmonics, AgreeWithTheStandardLibrarysLegendreFunctions) {
  // std::sph_legendre is normalised to 1/(4 pi) and carries the sign (-1)^m
  const double theta = 0.7, phi = 2.1;
  const Vector3 u{std::cos(theta), std::sin(theta) * std::sin(phi),
                  std::sin(theta) * std::cos(phi)};
  for (int l = 0; l <= kMaxDegree; ++l)
    for (int m = 0; m <= l; ++m) {
      const auto degree = static_cast<unsigned>(l), order = static_cast<unsigned>(m);
      const double sign = m % 2 ? -1 : 1;
      const double p = std::sqrt(4 * std::numbers::pi * (m ? 2 : 1)) * sign *
                       std::sph_legendre(degree, order, theta);
      EXPECT_NEAR(single(l, m)(u), p * std::cos(m * phi), 1e-13) << l << ',' << m;
      if (m > 0) {
        EXPECT_NEAR(single(l, -m)(u), p * std::sin(m * phi), 1e-13) << l << ',' << -m;
      }
    }
}

TEST(Harmonics, OfDegreeOneAreTheCoordinates) {
  const Vector3 u{0.48, 0.6, 0.64};
  EXPECT_NEAR(single(1, 0)(u), std::sqrt(3.0) * 0.48, 1e-15);
  EXPECT_NEAR(single(1, 1)(u), std::sqrt(3.0) * 0.64, 1e-15);
  EXPECT_NEAR(single(1, -1)(u), std::sqrt(3.0) * 0.6, 1e-15);
}

}  // namespace
}  // namespace synthoscope::simulator
