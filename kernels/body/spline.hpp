// SPDX-License-Identifier: MIT
// kernels/body/spline.hpp — the fit of the cubic B-spline along an axis, as four consecutive sums
// of three voxels. Host and device compile this file.
#pragma once
#include <cstdint>

namespace synthoscope::kernels {

/// Number of voxels on either side that count for a coefficient. With z = sqrt(3) - 2, farther ones
/// are left out of both series of fit_spline: |z|^16 = 7e-10 of a sum, a hundredth of float32's
/// rounding. So a coefficient depends only on its position and the voxels around it, however images
/// are cut.
inline constexpr std::int64_t kSplineReach = 15;

inline constexpr int kSplineSteps = 4;

/// A factor of both series: (1 + (z S)^m)(1 + (z / S)^m), m = `apart`, S the shift by a voxel. The
/// first step also has the factor -6 z.
struct SplineStep {
  int apart;
  float middle, beside;

  /// Returns the sum for the voxel `at`, from it and those `apart` before and after it.
  [[nodiscard]] constexpr float sum(float before, float at, float behind) const {
    return middle * at + beside * (before + behind);
  }
};

/// Returns step `number` of four, m = 1, 2, 4, 8.
constexpr SplineStep spline_step(int number) {
  constexpr double kPole = -0.26794919243112270647;  // sqrt(3) - 2
  double power = kPole, gain = -6 * kPole;
  for (int i = 0; i < number; ++i) {
    power *= power;
    gain = 1;
  }
  return {1 << number, static_cast<float>(gain * (1 + power * power)),
          static_cast<float>(gain * power)};
}

}  // namespace synthoscope::kernels
