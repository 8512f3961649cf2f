// SPDX-License-Identifier: MIT
// kernels/device/sums_before.cuh — what products before it made of the voxels that a pass makes,
// which is added.
#pragma once
#include "kernels/device/march.cuh"

namespace synthoscope::kernels::device {

/// The rows of sums that results are added to, in step with ResultRows; nothing where kAdds is
/// false. Results may take their place: every thread reads those that it makes.
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

  /// Begins to read what stands before the next row of results: as ResultRows::store has them, or
  /// as store_apart.
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
