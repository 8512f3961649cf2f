// SPDX-License-Identifier: MIT
// kernels/device/correlate/correlate.cuh — direct correlation: one thread a voxel, tiles in shared
// memory, and windows of registers that slide along an axis.
//
// All kernels sum in the same order with the same roundings: each row of the neighbourhood
// separately, from its first weight on, then the rows by y and z. So they give the same bits.
#pragma once
#include "kernels/device/correlate/correlate_arguments.hpp"
#include "kernels/device/correlate/march.cuh"

namespace synthoscope::kernels::device {

/// The plain kernel, one thread a voxel; the others are compared with it.
template <class In, class Out>
__global__ void __launch_bounds__(kPlainX* kPlainY) correlate_global(const CorrelateArguments a) {
  const Count blocks = (a.out.rows + kPlainY - 1) / kPlainY;  // along y
  const Count x = static_cast<Count>(blockIdx.y) * kPlainX + threadIdx.x;
  const Count row = blockIdx.x % blocks * kPlainY + threadIdx.y, plane = blockIdx.x / blocks;
  if (x >= a.out.columns || row >= a.out.rows) return;
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  const Count from_z = a.out.z + plane - a.centre_z, from_y = a.out.y + row - a.centre_y,
              from_x = a.out.x + x - a.centre_x;
  const auto within = [](Count from, int extent, const HeldAxis& axis) {
    return from >= axis.origin && from + extent <= axis.origin + axis.size;
  };
  const float* weights = a.weights;
  float sum = 0;
  if (within(from_z, a.extent_z, a.in.z) && within(from_y, a.extent_y, a.in.y) &&
      within(from_x, a.extent_x, a.in.x)) {
    for (int z = 0; z < a.extent_z; ++z)
      for (int y = 0; y < a.extent_y; ++y) {
        const In* const voxels =
            static_cast<const In*>(a.in.voxels) +
            ((from_z + z - a.in.z.origin) * a.in.y.size + (from_y + y - a.in.y.origin)) *
                a.in.x.size +
            (from_x - a.in.x.origin);
        float of_row = 0;
        for (int i = 0; i < a.extent_x; ++i)
          of_row = fmaf(*weights++, static_cast<float>(voxels[i]), of_row);
        sum += of_row;
      }
  } else {
    for (int z = 0; z < a.extent_z; ++z)
      for (int y = 0; y < a.extent_y; ++y) {
        float of_row = 0;
        for (int i = 0; i < a.extent_x; ++i)
          of_row = fmaf(*weights++,
                        voxel_at<In>(a.in, boundary, from_z + z, from_y + y, from_x + i), of_row);
        sum += of_row;
      }
  }
  Storing<Out> storing;
  static_cast<Out*>(a.out.voxels)[(plane * a.out.rows + row) * a.out.columns + x] =
      storing.make(sum);
  storing.add_to(a.out.counts);
}

/// Copies a tile and its margin into shared memory, for one plane of the neighbourhood after
/// another; a thread makes kSharedColumns neighbours in each of kSharedRows rows.
template <class In, class Out, int kX>
__global__ void __launch_bounds__(kPlainX* kPlainY) correlate_shared(const CorrelateArguments a) {
  constexpr int kPitch = shared_pitch(kX), kWidth = kSharedWidth + kX - 1;
  extern __shared__ __align__(16) float memory[];
  const int rows = kSharedHeight + a.extent_y - 1;
  float* const tile = memory;
  int* const at_y = reinterpret_cast<int*>(tile + rows * kPitch);
  int* const at_x = at_y + rows;
  const int thread = threadIdx.y * kPlainX + threadIdx.x;
  constexpr int kThreads = kPlainX * kPlainY;
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  const Count blocks = (a.out.rows + kSharedHeight - 1) / kSharedHeight;  // along y
  const Count x0 = static_cast<Count>(blockIdx.y) * kSharedWidth;
  const Count y0 = blockIdx.x % blocks * kSharedHeight, plane = blockIdx.x / blocks;
  // Voxels that no result of the box needs may not be held
  for (int i = thread; i < rows; i += kThreads)
    at_y[i] = y0 + i < a.out.rows + a.extent_y - 1
                  ? static_cast<int>(held_at(boundary, a.out.y + y0 + i - a.centre_y, a.in.y))
                  : -1;
  for (int i = thread; i < kWidth; i += kThreads)
    at_x[i] = x0 + i < a.out.columns + kX - 1
                  ? static_cast<int>(held_at(boundary, a.out.x + x0 + i - a.centre_x, a.in.x))
                  : -1;
  float sums[kSharedRows][kSharedColumns] = {};
  const float* weights = a.weights;
  for (int z = 0; z < a.extent_z; ++z) {
    const Count at_z = held_at(boundary, a.out.z + plane + z - a.centre_z, a.in.z);
    __syncthreads();
    for (int i = thread; i < rows * kWidth; i += kThreads) {
      const int row = i / kWidth, column = i % kWidth;
      const bool there = at_z >= 0 && at_y[row] >= 0 && at_x[column] >= 0;
      tile[row * kPitch + column] =
          there ? static_cast<float>(static_cast<const In*>(
                      a.in.voxels)[(at_z * a.in.y.size + at_y[row]) * a.in.x.size + at_x[column]])
                : 0.0F;
    }
    __syncthreads();
    for (int y = 0; y < a.extent_y; ++y, weights += kX) {
#pragma unroll
      for (int r = 0; r < kSharedRows; ++r) {
        const Neighbours<kSharedColumns, kX + kSharedColumns - 1> voxels{
            tile + (threadIdx.y + r * kPlainY + y) * kPitch};
        float of_row[kSharedColumns] = {};
#pragma unroll
        for (int i = 0; i < kX; ++i) {
          const float weight = __ldg(weights + i);
#pragma unroll
          for (int c = 0; c < kSharedColumns; ++c)
            of_row[c] = fmaf(weight, voxels[i + c], of_row[c]);
        }
#pragma unroll
        for (int c = 0; c < kSharedColumns; ++c) sums[r][c] += of_row[c];
      }
    }
  }
  Storing<Out> storing;
  const int columns = static_cast<int>(std::min<Count>(a.out.columns - x0, kSharedWidth));
#pragma unroll
  for (int r = 0; r < kSharedRows; ++r) {
    const Count y = y0 + threadIdx.y + r * kPlainY;
    if (y < a.out.rows)
      store_columns(storing, sums[r],
                    static_cast<Out*>(a.out.voxels) + (plane * a.out.rows + y) * a.out.columns + x0,
                    columns, a.out.columns % kSharedColumns == 0);
  }
  storing.add_to(a.out.counts);
}

/// A thread holds the sums of as many results along the axis as there are weights, so it reads the
/// voxels of a step once for all of them.
template <class In, class Out, March kAxis, int kReach, int kCross, int kX, int kColumns,
          int kWarps>
__global__ void __launch_bounds__(32 * kWarps)
    correlate_register(const MarchArguments a, const Weights w) {
  constexpr bool kAlone = kAxis == March::along_y;
  using Shape = MarchShape<kAxis, kAlone, kReach, kCross, kX, kColumns, kWarps>;
  extern __shared__ int steps_of_tiles[];
  __shared__ __align__(16) float tiles[Shape::kTiles][2 * Shape::kTile];
  const Standing s = standing<Shape>(a);
  if (s.along >= s.along_end || (kAlone && !s.makes)) return;
  const Feed<In, Shape> feed{a, s, steps_of_tiles + s.tile * (a.strip + kReach - 1)};
  ResultRows<Out, Shape> results{a, s};
  float sums[kReach][kColumns] = {};
  Storing<Out> storing;
  march<1, true>(
      feed, static_cast<int>(s.along_end - s.along) + kReach - 1, tiles[s.tile],
      [&](int step, const float* tile) {
#pragma unroll
        for (int row = 0; row < kCross; ++row) {
          const int at = kAlone ? 0 : static_cast<int>(threadIdx.y) + row;
          const Neighbours<kColumns, kX + kColumns - 1> voxels{tile + at * Shape::kPitch};
      // From the result that this step completes to the one that begins with it
#pragma unroll
          for (int r = 0; r < kReach; ++r) {
            float of_row[kColumns] = {};
#pragma unroll
            for (int i = 0; i < kX; ++i)
#pragma unroll
              for (int c = 0; c < kColumns; ++c)
                of_row[c] = fmaf(w.values[((kReach - 1 - r) * kCross + row) * kX + i],
                                 voxels[i + c], of_row[c]);
#pragma unroll
            for (int c = 0; c < kColumns; ++c) {
              const float before = row > 0 ? sums[r][c] : r + 1 < kReach ? sums[r + 1][c] : 0.0F;
              sums[r][c] = before + of_row[c];
            }
          }
        }
        const int done = step - (kReach - 1);
        if (done >= 0 && s.makes) results.store(sums[0], storing);
      });
  storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
