// SPDX-License-Identifier: MIT
// kernels/device/variance/integral_variance.cuh — exact sums up to corners along x, y and z, one
// axis after another, and statistics of boxes by their differences
// (kernels/body/integral_variance.hpp).
#pragma once
#include "kernels/device/variance/direct_variance_arguments.hpp"
#include "kernels/device/variance/variance.cuh"

namespace synthoscope::kernels::device {

/// Returns the sums over this lane and all lanes before it.
inline IntegralSums sum_to_lane(IntegralSums sums) {
  const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int apart = 1; apart < kSumLanes; apart *= 2) {
    const IntegralSums before{__shfl_up_sync(~0U, sums.value, apart),
                              __shfl_up_sync(~0U, sums.square, apart)};
    if (lane >= apart) sums = sums + before;
  }
  return sums;
}

/// Sums along x: a warp makes a row of corners, and blockIdx.x counts groups of rows.
template <class In>
__global__ void __launch_bounds__(kSumLanes* kSumWarps) sum_rows(const RowSumsArguments a) {
  const Count row = static_cast<Count>(blockIdx.x) * kSumWarps + threadIdx.y;
  if (row >= a.planes * a.rows) return;
  const Count z = row / a.rows, y = row % a.rows;
  const int lane = static_cast<int>(threadIdx.x);
  IntegralSums* const to = a.sums + row * a.columns;
  const bool is_first = y == 0 || (a.deep != 0 && z == 0);
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  // The first row and plane are zeros: the voxels before them may not be held
  const Count at_z = is_first ? kOutside : held_at(boundary, a.z + z - a.deep, a.in.z),
              at_y = is_first ? kOutside : held_at(boundary, a.y + y - 1, a.in.y);
  const bool is_there = at_z != kOutside && at_y != kOutside;
  const In* const from = static_cast<const In*>(a.in.voxels) +
                         (is_there ? (at_z * a.in.y.size + at_y) * a.in.x.size : 0);
  IntegralSums all;
  for (Count first = 0; first < a.columns; first += kSumLanes) {
    const Count x = first + lane;
    IntegralSums voxel;
    if (is_there && x > 0 && x < a.columns) {
      const Count at_x = held_at(boundary, a.x + x - 1, a.in.x);
      if (at_x != kOutside) voxel = sums_of(static_cast<float>(from[at_x]));
    }
    const IntegralSums sums = all + sum_to_lane(voxel);
    if (x < a.columns) to[x] = sums;
    all.value = __shfl_sync(~0U, sums.value, kSumLanes - 1);
    all.square = __shfl_sync(~0U, sums.square, kSumLanes - 1);
  }
}

/// The strip of a thread. blockIdx.x counts strips of all rows or planes of lines, blockIdx.y
/// groups of kSumColumns columns.
struct SumStrip {
  Count x, other, number;
  Count first, past;  ///< corners of the line

  explicit SumStrip(const LineSumsArguments& a)
      : x{static_cast<Count>(blockIdx.y) * kSumColumns + threadIdx.x},
        other{blockIdx.x / a.strips},
        number{blockIdx.x % a.strips},
        first{number * a.strip},
        past{std::min<Count>(first + a.strip, a.length)} {}
  [[nodiscard]] IntegralSums* line(const LineSumsArguments& a) const {
    return a.sums + other * a.other_apart + x;
  }
};

__global__ void __launch_bounds__(kSumColumns) total_strips(const LineSumsArguments a) {
  const SumStrip strip{a};
  if (strip.x >= a.columns) return;
  const IntegralSums* const line = strip.line(a);
  IntegralSums total;
#pragma unroll 8
  for (Count i = strip.first; i < strip.past; ++i) total = total + line[i * a.apart];
  a.totals[(strip.other * a.strips + strip.number) * a.columns + strip.x] = total;
}

__global__ void __launch_bounds__(kSumColumns) sum_lines(const LineSumsArguments a) {
  const SumStrip strip{a};
  if (strip.x >= a.columns) return;
  IntegralSums sum;
#pragma unroll 8
  for (Count i = 0; i < strip.number; ++i)
    sum = sum + a.totals[(strip.other * a.strips + i) * a.columns + strip.x];
  IntegralSums* const line = strip.line(a);
  constexpr int kAhead = 8;  // loads in flight
  for (Count first = strip.first; first < strip.past; first += kAhead) {
    IntegralSums came[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (first + i < strip.past) came[i] = line[(first + i) * a.apart];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      sum = sum + came[i];
      if (first + i < strip.past) line[(first + i) * a.apart] = sum;
    }
  }
}

template <class Out>
__global__ void __launch_bounds__(kPartsX* kPartsY) take_boxes(const BoxSumsArguments a) {
  Count z, y, x;
  const Count i = element_of(a.box, z, y, x);
  if (i < 0) return;
  const IntegralSums sums = a.deep != 0 ? a.sums.of_box(i, a.planes, a.rows, a.columns)
                                        : a.sums.of_rows(i, a.rows, a.columns);
  const Moments<double> made = moments_of(sums, a.planes * a.rows * a.columns);
  StatisticResults<Out> results;
  results.store(a.statistics, (z * a.box.rows + y) * a.box.columns + x, made.mean, made.variance);
  results.finish(a.counts);
}

}  // namespace synthoscope::kernels::device
