// SPDX-License-Identifier: MIT
// simulator/measurement/widths.hpp — numbers along z, y and x, and the width of a Gaussian.
#pragma once
#include <algorithm>
#include <array>
#include <vector>
#include "core/base/units.hpp"

namespace synthoscope::simulator {

/// Numbers along z, y and x.
using AlongAxes = std::array<double, 3>;

/// Full width at half maximum of a Gaussian with a standard deviation of 1.
inline constexpr double kWidthOfSigma = 2.354820045030949;

inline AlongAxes pitches_of(const VoxelSize& pitch) {
  return {pitch.z_um, pitch.y_um, pitch.x_um};
}

/// Returns the middle one of some numbers, the upper one of two.
inline double upper_median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace synthoscope::simulator
