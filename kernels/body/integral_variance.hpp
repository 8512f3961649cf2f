// SPDX-License-Identifier: MIT
// kernels/body/integral_variance.hpp — mean and variance of a box of integers by sums up to its
// corners. Host and device compile this file, so it includes nothing else.
#pragma once
#include "kernels/body/direct_variance.hpp"

namespace synthoscope::kernels {

/// Sums of voxels and of their squares, modulo 2^64; differences are right nevertheless.
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

/// Sums of all voxels before each corner of voxels: along x and y within a plane, or also along z.
struct IntegralVolume {
  const IntegralSums* corners;
  long long plane, row;  ///< corners from plane to plane and from row to row

  /// Returns the sums of a box within a plane, whose first corner is number `at`.
  [[nodiscard]] IntegralSums of_rows(long long at, long long rows, long long columns) const {
    const IntegralSums* const above = corners + at;
    const IntegralSums* const below = above + rows * row;
    return (below[columns] - below[0]) - (above[columns] - above[0]);
  }
  /// Returns the sums of a box, if sums are also along z.
  [[nodiscard]] IntegralSums of_box(long long at, long long planes, long long rows,
                                    long long columns) const {
    return of_rows(at + planes * plane, rows, columns) - of_rows(at, rows, columns);
  }
};

/// Returns the moments of `count` integers. For the whole part q of the mean, sum (x - q)^2 is an
/// integer; what is subtracted from it is less than 1 for each voxel, so that nothing cancels.
inline Moments<double> moments_of(const IntegralSums& sums, long long count) {
  const auto total = static_cast<long long>(sums.value);
  const long long whole = total / count, rest = total % count;
  const long long squares =
      static_cast<long long>(sums.square) - whole * (whole * count + 2 * rest);
  const double n = static_cast<double>(count), more = static_cast<double>(rest);
  return {static_cast<double>(total) / n, (static_cast<double>(squares) - more * more / n) / n};
}

}  // namespace synthoscope::kernels
