// SPDX-License-Identifier: MIT
// kernels/device/correlate/sums_before.cuh — sums of earlier products, which a pass adds to its
// results.
#pragma once
#include "kernels/device/correlate/march.cuh"

namespace synthoscope::kernels::device {

/// The rows of sums that results are added to, in step with ResultRows; empty if kAdds is false.
/// Results may replace them in memory: every thread reads the sums for results that it makes.
template <class Shape, bool kAdds>
class SumsBefore {
 public:
  SumsBefore(const MarchArguments& a, const Standing& s) {
    constexpr bool kAlongY = Shape::kAxis == March::along_y;
    const Count z = kAlongY ? s.plane_or_row : s.along, y = kAlongY ? s.along : s.plane_or_row;
    row_ = a.before + (z * a.out.rows + y) * a.out.columns + s.x;
    apart_ = kAlongY ? a.out.columns : a.out.rows * a.out.columns;
    columns_ = static_cast<int>(std::min<Count>(a.out.columns - s.x, Shape::kWidthOut));
  }

  /// Begins to read the sums for the next row of results, in the layout of ResultRows::store, or of
  /// store_apart if kApart.
  template <bool kApart>
  void read() {
    if constexpr (kAdds) {
      const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
      for (int c = 0; c < Shape::kColumns; ++c) {
        const int x = kApart ? thread + 32 * c : thread * Shape::kColumns + c;
        before_[c] = x < columns_ ? row_[x] : 0.0F;
      }
      row_ += apart_;
    }
  }
  void add_to(float (&values)[Shape::kColumns]) const {
    if constexpr (kAdds)
#pragma unroll
      for (int c = 0; c < Shape::kColumns; ++c) values[c] += before_[c];
  }

 private:
  const float* row_;
  Count apart_;
  int columns_;
  float before_[Shape::kColumns];
};

}  // namespace synthoscope::kernels::device
