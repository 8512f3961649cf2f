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

/// Light below this is as dark as 0: a step relative to it would only be large.
inline constexpr float kDark = 1e-30f;

/// Returns the class of a position.
__device__ __forceinline__ int class_of(const ShareAxis& axis, int position) {
  return min(position, axis.front) + max(position - axis.back, 0);
}

/// Returns x (x / before)^momentum: the point beyond x in the direction of the last step.
__device__ __forceinline__ float beyond(float x, float before, float momentum) {
  const bool is_light = x > kDark && before > kDark;
  return is_light ? x * exp2f(momentum * __log2f(__fdividef(x, before))) : x;
}

template <class Shape, int Groups, int PadEvery, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks) ratio_rows(const RatioRows a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength, r = Shape::radix(0), q = Shape::apart(0);
  const RowAtWork<Shape, Groups> at{a.rows.row_count, a.rows.planes};
  const Count row = at.plane * static_cast<Count>(a.rows.row_count) + at.row;
  const float* const image = a.image + row * a.width;
  double sum = 0;
  change_row<Shape, Groups, PadEvery>(a.rows, at, shared, [&](int first, float2(&v)[r]) {
    // Sums of a few voxels need no more than single precision
    float part = 0;
    const auto ratio = [&](int p, float light) {
      const bool inside = p < a.width;
      const float f = inside ? __ldg(image + p) : 0;
      const float expected = fmaxf(light + a.background, a.least);
      if (inside) part += fmaf(f, logf(expected), -expected);
      return __fdividef(f, expected);
    };
#pragma unroll
    for (int m = 0; m < r; ++m)
      v[m] = {ratio(first + m * q, v[m].x), ratio(first + m * q + M, v[m].y)};
    sum += static_cast<double>(part);
  });
  const RowRoomOf<Shape, PadEvery> room{shared + at.group * kRowPitch<Shape, PadEvery>};
  sum = sum_of_group<Shape, PadEvery>(room, at.thread, sum);
  if (at.thread == 0 && !at.again) a.likelihoods[row] = sum;
}

/// Voxels whose light is read before any of it is written.
inline constexpr int kUpdatedTogether = 4;

template <class Shape, int Groups, int PadEvery, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks) update_rows(const UpdateRows a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength, r = Shape::radix(0), q = Shape::apart(0);
  constexpr int n = kUpdatedTogether;
  const RowAtWork<Shape, Groups> at{a.rows.row_count, a.rows.planes};
  const Count row = at.plane * static_cast<Count>(a.rows.row_count) + at.row;
  float* const light = a.light + row * a.width;
  float* const before = a.before ? a.before + row * a.width : nullptr;
  const int of_plane = class_of(a.shares.z, a.first_plane + at.plane) * a.shares.rows;
  const float* const inverse =
      a.shares.inverse +
      static_cast<Count>(of_plane + class_of(a.shares.y, at.row)) * a.shares.columns;
  change_row<Shape, Groups, PadEvery>(a.rows, at, shared, [&](int first, float2(&v)[r]) {
#pragma unroll
    for (int begin = 0; begin < 2 * r; begin += n) {
      float x[n], last[n], share[n];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const int m = begin + i, p = first + (m < r ? m * q : (m - r) * q + M);
        const bool inside = m < 2 * r && p < a.width;
        x[i] = inside ? light[p] : 0;
        last[i] = inside && before ? before[p] : 0;
        share[i] = inside ? __ldg(inverse + class_of(a.shares.x, p)) : 0;
      }
#pragma unroll
      for (int i = 0; i < n; ++i) {
        const int m = begin + i;
        if (m >= 2 * r) continue;
        const int p = first + (m < r ? m * q : (m - r) * q + M);
        float& value = m < r ? v[m].x : v[m - r].y;
        // Rounding may leave sums of ratios, none of which is negative, slightly below 0
        const float change = fmaxf(value, 0) * share[i];
        const float from = before ? beyond(x[i], last[i], a.momentum) : x[i];
        const float next = from * change;
        if (p < a.width && !at.again) (before ? before : light)[p] = next;
        value = before ? beyond(next, x[i], a.next_momentum) : next;
      }
    }
  });
}

/// A block a row.
__global__ void __launch_bounds__(256) fill_evenly(const EvenLight a) {
  const int row = blockIdx.x % a.row_count, plane = blockIdx.x / a.row_count;
  float* const light = a.light + (plane * static_cast<Count>(a.row_count) + row) * a.width;
  const int of_plane = class_of(a.shares.z, plane) * a.shares.rows;
  const float* const inverse =
      a.shares.inverse +
      static_cast<Count>(of_plane + class_of(a.shares.y, row)) * a.shares.columns;
  for (int p = threadIdx.x; p < a.width; p += 256)
    light[p] = inverse[class_of(a.shares.x, p)] > 0 ? a.value : 0;
}

__global__ void __launch_bounds__(256) go_beyond(const BeyondLight a) {
  const Count i = blockIdx.x * static_cast<Count>(256) + threadIdx.x;
  if (i < a.count) a.before[i] = beyond(a.light[i], a.before[i], a.momentum);
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
