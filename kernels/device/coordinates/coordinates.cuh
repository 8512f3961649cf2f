// SPDX-License-Identifier: MIT
// kernels/device/coordinates/coordinates.cuh — coordinates of an affine map as a product of
// matrices: element by element, by tiles in shared memory, and by outer products of blocks (SUMMA).
#pragma once
#include "kernels/device/coordinates/coordinates_arguments.hpp"

namespace synthoscope::kernels::device {

/// Returns sum + a b, rounded twice as on the host, even if the compiler fuses multiply-adds.
inline double plus_product(double sum, double a, double b) {
  return __dadd_rn(sum, __dmul_rn(a, b));
}

__global__ void __launch_bounds__(kCoordinateThreads)
    write_targets(const CoordinateProductArguments a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kCoordinateThreads + threadIdx.x;
  if (i >= a.lines * a.columns) return;
  const std::int64_t line = i / a.columns, x = i - line * a.columns;
  double* const to = a.targets + line * a.steps.line_step + x;
  to[0] = static_cast<double>(a.y + line);
  to[a.steps.row_step] = static_cast<double>(a.x + x);
  to[2 * a.steps.row_step] = 1;
}

/// Computes S, one thread an element: a row of A times a column of G. Pixels are contiguous.
__global__ void __launch_bounds__(kCoordinateThreads)
    multiply_naive(const CoordinateProductArguments a) {
  const std::int64_t pixels = a.lines * a.columns;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kCoordinateThreads + threadIdx.x;
  if (i >= 2 * pixels) return;
  const int row = i >= pixels;
  const std::int64_t pixel = i - row * pixels;
  double sum = 0;
  for (int k = 0; k < 3; ++k)
    sum = plus_product(sum, row ? a.matrix[3 + k] : a.matrix[k],
                       a.targets[k * a.steps.row_step + pixel]);
  a.sources[row * a.source_steps.row_step + pixel] = sum;
}

/// Computes S in tiles of `kRows` x `kColumns`: a block makes one tile after another, a thread an
/// element. Tiles of A and G are copied to shared memory, `kDepth` columns of A and rows of G at a
/// time; elements outside A and G are zero. A tile that holds all of A is copied once. Pixels are
/// contiguous.
template <int kRows, int kColumns, int kDepth>
__global__ void __launch_bounds__(kRows* kColumns)
    multiply_tiled(const CoordinateProductArguments a) {
  constexpr int kThreads = kRows * kColumns;
  __shared__ double whole[6], left[kRows][kDepth], right[kDepth][kColumns];
  const std::int64_t pixels = a.lines * a.columns;
  const int column = threadIdx.x, row = threadIdx.y;
  const int thread = row * kColumns + column;
  if (thread == 0)
#pragma unroll
    for (int i = 0; i < 6; ++i) whole[i] = a.matrix[i];
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kColumns; first < pixels;
       first += static_cast<std::int64_t>(gridDim.x) * kColumns) {
    double sum = 0;
    for (int k0 = 0; k0 < 3; k0 += kDepth) {
      __syncthreads();
      if (kDepth < 3 || first == static_cast<std::int64_t>(blockIdx.x) * kColumns)
        for (int i = thread; i < kRows * kDepth; i += kThreads) {
          const int r = i / kDepth, k = k0 + i % kDepth;
          left[r][i % kDepth] = r < 2 && k < 3 ? whole[3 * r + k] : 0;
        }
#pragma unroll
      for (int from = 0; from < kDepth * kColumns; from += kThreads) {
        const int i = from + thread, k = k0 + i / kColumns;
        if (i >= kDepth * kColumns) break;
        const std::int64_t pixel = first + i % kColumns;
        right[i / kColumns][i % kColumns] =
            k < 3 && pixel < pixels ? a.targets[k * a.steps.row_step + pixel] : 0;
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kDepth; ++k)
        if (k0 + k < 3) sum = plus_product(sum, left[row][k], right[k][column]);
    }
    if (row < 2 && first + column < pixels)
      a.sources[row * a.source_steps.row_step + first + column] = sum;
  }
}

/// Computes S as a product of block matrices. The pixels of a line are blocks below each other, of
/// three elements in G and two in S; A is repeated on the diagonal. A thread makes the block of a
/// pixel as a sum of outer products of a column of A and a row of G, and skips the zero blocks off
/// the diagonal.
__global__ void __launch_bounds__(kCoordinateThreads)
    multiply_summa(const CoordinateProductArguments a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kCoordinateThreads + threadIdx.x;
  if (i >= a.lines * a.columns) return;
  const std::int64_t line = i / a.columns, x = i - line * a.columns;
  const double* const target = a.targets + line * a.steps.line_step + x;
  double sum[2] = {0, 0};
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const double of_row = target[k * a.steps.row_step];
#pragma unroll
    for (int r = 0; r < 2; ++r) sum[r] = plus_product(sum[r], a.matrix[3 * r + k], of_row);
  }
  double* const to = a.sources + line * a.source_steps.line_step + x;
  to[0] = sum[0];
  to[a.source_steps.row_step] = sum[1];
}

/// Computes the same without matrices in memory, as kernels that resample do.
__global__ void __launch_bounds__(kCoordinateThreads)
    coordinates_fused(const CoordinateProductArguments a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kCoordinateThreads + threadIdx.x;
  if (i >= a.lines * a.columns) return;
  const std::int64_t line = i / a.columns, x = i - line * a.columns;
  const double target[3] = {static_cast<double>(a.y + line), static_cast<double>(a.x + x), 1};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    double sum = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) sum = plus_product(sum, a.matrix[3 * r + k], target[k]);
    a.sources[r * a.source_steps.row_step + line * a.source_steps.line_step + x] = sum;
  }
}

}  // namespace synthoscope::kernels::device
