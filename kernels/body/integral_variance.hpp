// SPDX-License-Identifier: MIT
// kernels/body/integral_variance.hpp — mean and variance of a box of integers by sums up to its
// corners; read by the compilers of host and device, so it includes nothing else.
#pragma once
#include "kernels/body/direct_variance.hpp"

namespace synthoscope::kernels {

/// Of voxels and of their squares, modulo 2^64, which differences undo.
struct alignas(16) IntegralSums {
  unsigned long long value = 0, square = 0;
};

inline IntegralSums operator+(const IntegralSums& a, const IntegralSums& b) {
  return {a.value + b.value, a.square + b.square};
}
inline IntegralSums operator-(const IntegralSums& a, const IntegralSums& b) {
  return {a.value - b.value, a.square - b.square};
}

inline IntegralSums sums_of(float voxel) {
  const auto value = static_cast<unsigned long long>(static_cast<long long>(voxel));
  return {value, value * value};
}

/// Sums of all voxels before each corner of voxels: along x and y within a plane, or along z too.
struct IntegralVolume {
  const IntegralSums* corners;
  long long plane, row;  ///< corners from one to the next

  /// The sums of a box within a plane, whose first corner is number `at`.
  [[nodiscard]] IntegralSums of_rows(long long at, long long rows, long long columns) const {
    const IntegralSums* const above = corners + at;
    const IntegralSums* const below = above + rows * row;
    return (below[columns] - below[0]) - (above[columns] - above[0]);
  }
  /// Of a box, where sums are along z too.
  [[nodiscard]] IntegralSums of_box(long long at, long long planes, long long rows,
                                    long long columns) const {
    return of_rows(at + planes * plane, rows, columns) - of_rows(at, rows, columns);
  }
};

/// The moments of `count` integers. sum (x - q)^2 is an integer for the whole part q of the mean:
/// what is left to take off is less than 1 a voxel, so that nothing cancels.
inline Moments<double> moments_of(const IntegralSums& sums, long long count) {
  const auto total = static_cast<long long>(sums.value);
  const long long whole = total / count, rest = total % count;
  const long long squares =
      static_cast<long long>(sums.square) - whole * (whole * count + 2 * rest);
  const double n = static_cast<double>(count), more = static_cast<double>(rest);
  return {static_cast<double>(total) / n, (static_cast<double>(squares) - more * more / n) / n};
}

}  // namespace synthoscope::kernels
