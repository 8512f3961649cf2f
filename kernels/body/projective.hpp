// SPDX-License-Identifier: MIT
// kernels/body/projective.hpp — the coordinate of a voxel by a homography. Host and device compile
// this file.
#pragma once
#include <bit>
#include <cstdint>
#include "kernels/body/coordinate.hpp"

namespace synthoscope::kernels {

/// coordinate_i = (P o)_i / (P o)_3 for o = (z, y, x, 1), with the sums from left to right.
struct Projective {
  double rows[4][4] = {};

  /// Returns NaN if the divisor is not positive.
  /// @tparam kKeepsPlanes  planes stay planes: z times the divisor, divided by it, would not always
  ///                       be z to the last bit
  template <bool kKeepsPlanes>
  [[nodiscard]] Coordinate3 at(double z, double y, double x) const {
    const double divisor = sum(3, z, y, x);
    const bool is_before = divisor > 0;
    const double nowhere = std::bit_cast<double>(std::uint64_t{0x7FF8} << 48);
    return {!is_before     ? nowhere
            : kKeepsPlanes ? z
                           : sum(0, z, y, x) / divisor,
            is_before ? sum(1, z, y, x) / divisor : nowhere,
            is_before ? sum(2, z, y, x) / divisor : nowhere};
  }

  /// Returns (P o)_i.
  [[nodiscard]] double sum(int i, double z, double y, double x) const {
    return ((z * rows[i][0] + y * rows[i][1]) + x * rows[i][2]) + rows[i][3];
  }
};

}  // namespace synthoscope::kernels
