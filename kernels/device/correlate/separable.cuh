// SPDX-License-Identifier: MIT
// kernels/device/correlate/separable.cuh — correlation with products of weights along axes: one
// axis after another, or rows and columns together. Kernels with kAdds make sums of several
// products.
#pragma once
#include "kernels/device/correlate/correlate_arguments.hpp"
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

/// Correlates along one axis, one thread a voxel: the plain kernel that the others are compared
/// with, and the one for more weights than they hold. Extents of the other axes are 1.
template <class In, class Out, bool kAdds = false>
__global__ void __launch_bounds__(kPlainX* kPlainY) correlate_axis(const CorrelateArguments a) {
  const Count blocks = (a.out.rows + kPlainY - 1) / kPlainY;  // along y
  const Count x = static_cast<Count>(blockIdx.y) * kPlainX + threadIdx.x;
  const Count row = blockIdx.x % blocks * kPlainY + threadIdx.y, plane = blockIdx.x / blocks;
  if (x >= a.out.columns || row >= a.out.rows) return;
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  const bool is_z = a.extent_z > 1, is_y = a.extent_y > 1;
  const int extent = is_z ? a.extent_z : is_y ? a.extent_y : a.extent_x;
  const HeldAxis axis = is_z ? a.in.z : is_y ? a.in.y : a.in.x;
  const Count from_z = a.out.z + plane - a.centre_z, from_y = a.out.y + row - a.centre_y,
              from_x = a.out.x + x - a.centre_x;
  const Count first = is_z ? from_z : is_y ? from_y : from_x;
  const Count at_z = is_z ? 0 : held_at(boundary, from_z, a.in.z),
              at_y = is_y ? 0 : held_at(boundary, from_y, a.in.y),
              at_x = is_z || is_y ? held_at(boundary, from_x, a.in.x) : 0;
  const Count apart = is_z ? a.in.y.size * a.in.x.size : is_y ? a.in.x.size : 1;
  float sum = 0;
  if (at_z != kOutside && at_y != kOutside && at_x != kOutside) {
    const In* const voxels =
        static_cast<const In*>(a.in.voxels) + (at_z * a.in.y.size + at_y) * a.in.x.size + at_x;
    if (first >= axis.origin && first + extent <= axis.origin + axis.size) {
      const In* voxel = voxels + (first - axis.origin) * apart;
      for (int i = 0; i < extent; ++i, voxel += apart)
        sum = fmaf(a.weights[i], static_cast<float>(*voxel), sum);
    } else {
      for (int i = 0; i < extent; ++i) {
        const Count at = held_at(boundary, first + i, axis);
        const float voxel = at == kOutside ? 0.0F : static_cast<float>(voxels[at * apart]);
        sum = fmaf(a.weights[i], voxel, sum);
      }
    }
  }
  const Count here = (plane * a.out.rows + row) * a.out.columns + x;
  if constexpr (kAdds) sum += a.before[here];
  Storing<Out> storing;
  static_cast<Out*>(a.out.voxels)[here] = storing.make(sum);
  storing.add_to(a.out.counts);
}

/// Correlates rows, then columns of the results, without a volume in between: a thread holds the
/// sums of as many results along y as there are weights.
template <class In, class Out, int kReach, int kX, int kColumns, int kWarps, int kAhead,
          int kBlocks, bool kAdds = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    correlate_rows_and_columns(const MarchArguments a, const MarchWeights w) {
  using Shape = MarchShape<March::along_y, true, kReach, 1, kX, kColumns, kWarps>;
  extern __shared__ int steps_of_tiles[];
  __shared__ __align__(16) float tiles[Shape::kTiles][2 * Shape::kTile];
  const Standing s = standing<Shape>(a);
  if (s.along >= s.along_end || !s.makes) return;
  const Feed<In, Shape> feed{a, s, steps_of_tiles + s.tile * (a.strip + kReach - 1)};
  ResultRows<Out, Shape> results{a, s};
  SumsBefore<Shape, kAdds> before{a, s};
  float sums[kReach][kColumns] = {};
  Storing<Out> storing;
  march<kAhead, true>(feed, static_cast<int>(s.along_end - s.along) + kReach - 1, tiles[s.tile],
                      [&](int step, const float* tile) {
                        const int done = step - (kReach - 1);
                        if (done >= 0) before.template read<false>();
                        const Neighbours<kColumns, kX + kColumns - 1> voxels{tile};
                        float of_row[kColumns] = {};
#pragma unroll
                        for (int i = 0; i < kX; ++i)
#pragma unroll
                          for (int c = 0; c < kColumns; ++c)
                            of_row[c] = fmaf(w.x[i], voxels[i + c], of_row[c]);
                        add_step(sums, of_row, w.march);
                        if (done < 0) return;
                        before.add_to(sums[0]);
                        results.store(sums[0], storing);
                      });
  storing.add_to(a.out.counts);
}

/// Correlates columns along y or z: neighbours along x are not needed, and voxels go from memory to
/// registers.
template <class In, class Out, March kAxis, int kReach, int kColumns, int kWarps, int kAhead,
          int kBlocks, bool kAdds = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    correlate_columns(const MarchArguments a, const MarchWeights w) {
  using Shape = MarchShape<kAxis, true, kReach, 1, 1, kColumns, kWarps>;
  static_assert(Shape::kEach == kColumns);
  extern __shared__ int steps_of_tiles[];
  const Standing s = standing<Shape>(a);
  if (s.along >= s.along_end || !s.makes) return;
  const Feed<In, Shape> feed{a, s, steps_of_tiles + threadIdx.y * (a.strip + kReach - 1)};
  ResultRows<Out, Shape> results{a, s};
  SumsBefore<Shape, kAdds> before{a, s};
  float sums[kReach][kColumns] = {};
  Storing<Out> storing;
  march<kAhead, false>(feed, static_cast<int>(s.along_end - s.along) + kReach - 1, nullptr,
                       [&](int step, const float(&came)[kColumns]) {
                         constexpr bool kTogether = Coming<In, Shape>::kPacked;
                         const int done = step - (kReach - 1);
                         if (done >= 0) before.template read<!kTogether>();
                         add_step(sums, came, w.march);
                         if (done < 0) return;
                         before.add_to(sums[0]);
                         if constexpr (kTogether)
                           results.store(sums[0], storing);
                         else
                           results.store_apart(sums[0], storing);
                       });
  storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
