// SPDX-License-Identifier: MIT
// deconvolution/device/code/steps.cuh — what an iteration of Richardson and Lucy does with voxels,
// between two transforms of their rows.
#pragma once
#include "deconvolution/device/code/arguments.hpp"
#include "fftconv/device/code/change.cuh"

namespace synthoscope::deconvolution::device {

using fftconv::device::change_row;
using fftconv::device::kRowPitch;
using fftconv::device::Line;
using fftconv::device::RowAtWork;
using fftconv::device::RowRoomOf;
using fftconv::device::sum_of_group;

/// 1 / x and the logarithm of x to base 2 for x from 2^-126 to 2^126: one instruction each, where
/// exact functions take some twenty. Errors: 1 unit of the last place; 2^-22, or 2 units of the
/// last place beyond 0.5 .. 2.
__device__ __forceinline__ float quick_inverse(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
__device__ __forceinline__ float quick_log2(float x) {
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Brings a row of voxels to the cache that its group of threads will read. Only where a row has
/// several warps: shorter rows are so many at once that others hide what one waits for.
template <class Shape>
__device__ __forceinline__ void prefetch_row(const float* row, int width, int thread) {
  constexpr int kAtOnce = 32;  // floats of 128 bytes
  if constexpr (Shape::kThreads > 32) {
    for (int i = kAtOnce * thread; i < width; i += kAtOnce * Shape::kThreads)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(row + i));
  }
}

/// Returns the class of a position.
__device__ __forceinline__ int class_of(const ShareAxis& axis, int position) {
  return min(position, axis.front) + max(position - axis.back, 0);
}

/// Returns the point beyond x in the direction of the last step, but not below `least` unless x is.
__device__ __forceinline__ float beyond(float x, float before, float momentum, float least) {
  return fmaxf(fmaf(momentum, x - before, x), fminf(x, least));
}

template <class Shape, int Groups, int PadEvery, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks)
    residual_rows(const ResidualRows a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength, r = Shape::radix(0), q = Shape::apart(0);
  constexpr double kLn2 = 0.69314718055994530942;
  const RowAtWork<Shape, Groups> at{a.rows.row_count, a.rows.planes};
  const Count row = at.plane * static_cast<Count>(a.rows.row_count) + at.row;
  const float* const image = a.image + row * a.width;
  double sum = 0;
  change_row<Shape, Groups, PadEvery>(a.rows, at, shared, [&](int first, float2(&v)[r]) {
    float f[2 * r];
#pragma unroll
    for (int m = 0; m < 2 * r; ++m) {
      const int p = first + (m < r ? m * q : (m - r) * q + M);
      f[m] = p < a.width ? __ldg(image + p) : 0;
    }
    // Sums of a few voxels need no more than single precision
    float logarithms = 0, light = 0;
#pragma unroll
    for (int m = 0; m < 2 * r; ++m) {
      const int p = first + (m < r ? m * q : (m - r) * q + M);
      float& value = m < r ? v[m].x : v[m - r].y;
      const float expected = fmaxf(value + a.background, a.least);
      logarithms = fmaf(f[m], quick_log2(expected), logarithms);
      const bool is_inside = p < a.width;
      light += is_inside ? expected : 0;
      value = (is_inside ? f[m] - expected : 0) * quick_inverse(expected);
    }
    sum += kLn2 * static_cast<double>(logarithms) - static_cast<double>(light);
  });
  const RowRoomOf<Shape, PadEvery> room{shared + at.group * kRowPitch<Shape, PadEvery>};
  sum = sum_of_group<Shape, PadEvery>(room, at.thread, sum);
  if (at.thread == 0 && !at.again) a.likelihoods[row] = sum;
}

/// Voxels whose light is read before any of it is written.
inline constexpr int kUpdatedTogether = 8;

template <class Shape, int Groups, int PadEvery, bool HasMomentum, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks) update_rows(const UpdateRows a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength, r = Shape::radix(0), q = Shape::apart(0);
  constexpr int n = kUpdatedTogether < 2 * r ? kUpdatedTogether : 2 * r;
  const RowAtWork<Shape, Groups> at{a.rows.row_count, a.rows.planes};
  const Count row = at.plane * static_cast<Count>(a.rows.row_count) + at.row;
  float* const light = a.light + row * a.width;
  float* const before = HasMomentum ? a.before + row * a.width : light;
  prefetch_row<Shape>(light, a.width, at.thread);
  if constexpr (HasMomentum) prefetch_row<Shape>(before, a.width, at.thread);
  const int stored = at.again ? 0 : a.width;
  const int of_plane =
      class_of(a.shares.z, a.shares.first_plane + a.first_plane + at.plane) * a.shares.rows;
  const float* const inverse =
      a.shares.inverse +
      static_cast<Count>(of_plane + class_of(a.shares.y, a.shares.first_row + at.row)) *
          a.shares.columns;
  change_row<Shape, Groups, PadEvery>(a.rows, at, shared, [&](int first, float2(&v)[r]) {
#pragma unroll
    for (int begin = 0; begin < 2 * r; begin += n) {
      float x[n], last[n], inverse_share[n];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const int m = begin + i, p = first + (m < r ? m * q : (m - r) * q + M);
        const bool inside = m < 2 * r && p < a.width;
        x[i] = inside ? light[p] : 0;
        if constexpr (HasMomentum) last[i] = inside ? before[p] : 0;
        inverse_share[i] = inside ? __ldg(inverse + class_of(a.shares.x, p)) : 0;
      }
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const int m = begin + i;
        if (m >= 2 * r) continue;
        const int p = first + (m < r ? m * q : (m - r) * q + M);
        float& value = m < r ? v[m].x : v[m - r].y;
        // 1 + H^T d / (H^T 1) is not negative but for rounding
        const float change = fmaxf(fmaf(value, inverse_share[i], 1), 0);
        const float next =
            (HasMomentum ? beyond(x[i], last[i], a.momentum, a.least) : x[i]) * change;
        if (p < stored) before[p] = next;
        value = HasMomentum ? beyond(next, x[i], a.next_momentum, a.least) : next;
      }
    }
  });
}

/// A block a row. Both parts of a field add the same two values: the order does not matter.
__global__ void __launch_bounds__(256) add_rows(const AddedRows a) {
  const Count row = blockIdx.x % a.rows.row_count, plane = blockIdx.x / a.rows.row_count;
  float2* const sum = a.rows.spectra + plane * a.rows.spectrum_plane + row * a.rows.spectrum_row;
  const float2* const others = a.others + blockIdx.x * a.rows.spectrum_row;
  for (int i = threadIdx.x; i < a.rows.spectrum_row; i += 256) {
    const float2 here = sum[i], other = __ldg(others + i);
    sum[i] = {here.x + other.x, here.y + other.y};
  }
}

/// A block a row.
__global__ void __launch_bounds__(256) fill_evenly(const EvenLight a) {
  const int row = blockIdx.x % a.row_count, plane = blockIdx.x / a.row_count;
  float* const light = a.light + (plane * static_cast<Count>(a.row_count) + row) * a.width;
  const int of_plane =
      class_of(a.shares.z, a.shares.first_plane + a.first_plane + plane) * a.shares.rows;
  const float* const inverse =
      a.shares.inverse +
      static_cast<Count>(of_plane + class_of(a.shares.y, a.shares.first_row + row)) *
          a.shares.columns;
  for (int p = threadIdx.x; p < a.width; p += 256)
    light[p] = inverse[class_of(a.shares.x, p)] > 0 ? a.value : 0;
}

__global__ void __launch_bounds__(256) go_beyond(const BeyondLight a) {
  const Count i = blockIdx.x * static_cast<Count>(256) + threadIdx.x;
  if (i < a.count) a.before[i] = beyond(a.light[i], a.before[i], a.momentum, a.least);
}

/// A block a piece; in the same order whatever the device.
__global__ void __launch_bounds__(kSumThreads) sum_rows(const SumOfRows a) {
  __shared__ double sums[kSumThreads];
  const Count piece = (a.count + kSumPieces - 1) / kSumPieces, first = blockIdx.x * piece;
  const Count end = min(first + piece, a.count);
  double sum = 0;
  for (Count i = first + threadIdx.x; i < end; i += kSumThreads) sum += a.of_rows[i];
  sums[threadIdx.x] = sum;
  for (int half = kSumThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) a.of_pieces[blockIdx.x] = sums[0];
}

}  // namespace synthoscope::deconvolution::device
