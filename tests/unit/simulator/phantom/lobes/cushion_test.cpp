// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <cmath>
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {
namespace {

/// (x^2 + y^2)^2 + z^4 = 1 in direction `u`.
double cushion_radius(const Vector3& u) {
  const double across = u[1] * u[1] + u[2] * u[2], along = u[0] * u[0];
  return 1 / std::sqrt(std::sqrt(across * across + along * along));
}

TEST(Cushion, IsTheSurfaceOfExponentFour) {
  double mean = 0;
  for (const auto& [u, weight] : sphere_quadrature()) mean += weight * cushion_radius(u);
  const Harmonics cushion = cushioned(0, {}, 1);
  for (const Vector3& u : sphere_cover())
    ASSERT_NEAR(1 + cushion(u), cushion_radius(u) / mean, 0.012) << u[0];
}

TEST(Cushion, IsAddedToWhatASurfaceHasAlready) {
  Harmonics rough{6};
  rough.coefficient(3, -2) = 0.7;
  rough.coefficient(6, 5) = -0.4;
  const Harmonics both = cushioned(0.05, rough, 0.8), cushion = cushioned(0, {}, 1);
  for (const auto& [u, weight] : sphere_quadrature())
    ASSERT_NEAR(both(u), 0.05 * rough(u) + 0.8 * cushion(u), 1e-14) << weight;
}

}  // namespace
}  // namespace synthoscope::simulator
