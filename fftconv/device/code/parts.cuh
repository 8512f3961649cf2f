// SPDX-License-Identifier: MIT
// fftconv/device/code/parts.cuh — frequency parts: voxels are folded as rows are loaded, and
// unfolded when all parts are complete.
//
// A part is complex, and so are its rows: transforms along x are plain ones of the whole row.
// Columns along y and z are the same as in every other run (columns.cuh).
#pragma once
#include "fftconv/device/code/parts_arguments.hpp"
#include "fftconv/device/code/rows.cuh"

namespace synthoscope::fftconv::device {

/// Returns the thread's row and its position in it. `row` lies past the end in the last block,
/// where the thread takes part in barriers only.
template <class Shape>
struct RowPlace {
  int thread, group, row;
  __device__ RowPlace(int groups)
      : thread(threadIdx.x % Shape::kThreads),
        group(threadIdx.x / Shape::kThreads),
        row(static_cast<int>(blockIdx.x) * groups + group) {}
};

template <class Shape, int PadEvery>
using LineRoom = RowRoom<PadEvery, Shape::kThreads <= 32 && 32 % Shape::kThreads == 0>;

template <class Shape, int Groups, int PadEvery, class Native, Placing Placed, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks) fold_rows(const FoldRows a) {
  extern __shared__ __align__(128) float2 shared[];
  const RowPlace<Shape> at{Groups};
  const PlacedRow placed = a.rows[min(at.row, a.row_count - 1)];
  const Native* voxels = static_cast<const Native*>(a.voxels) + placed.source * a.voxel_row -
                         a.sharing.first * a.voxel_plane;
  const int begin = a.sharing.begin[blockIdx.y], end = a.sharing.begin[blockIdx.y + 1];
  using Wide = WideFor<Native>;
  const Wide background = static_cast<Wide>(a.background);
  const LineRoom<Shape, PadEvery> room{shared + at.group * kRowPitch<Shape, PadEvery>};
  for (int x = at.thread; x < Shape::kLength; x += Shape::kThreads) {
    int column = x < a.width ? x : -1;
    if constexpr (Placed == Placing::whole) column = x;
    if constexpr (Placed == Placing::listed) column = __ldg(a.columns + x) - 1;
    float2 sum = {0, 0};
    if (column >= 0)
#pragma unroll 4
      for (int i = begin; i < end; ++i) {
        const Native voxel = __ldg(voxels + __ldg(a.sharing.planes + i) * a.voxel_plane + column);
        const float value = static_cast<float>(static_cast<Wide>(voxel) - background);
        const float2 rotation = __ldg(a.sharing.rotations + i);
        sum = {sum.x + rotation.x * value, sum.y + rotation.y * value};
      }
    room.at(x, 0) = sum;
  }
  room.wait();
  float2* spectrum = a.spectra + blockIdx.y * a.spectrum_plane + placed.position * a.spectrum_row;
  forward<Shape>(a.factors, at.thread, room, InRoom<Shape, LineRoom<Shape, PadEvery>>{room},
                 [&](int base, int offset, float2 value) {
                   spectrum[stored_at<Shape>(base, offset)] = value;
                 });
}

template <class Shape, int Groups, int PadEvery, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks)
    part_rows_back(const PartRowsBack a) {
  extern __shared__ __align__(128) float2 shared[];
  const RowPlace<Shape> at{Groups};
  const int row = min(at.row, a.row_count - 1);
  const float2* spectrum = a.spectra + blockIdx.y * a.spectrum_plane + row * a.spectrum_row;
  const LineRoom<Shape, PadEvery> room{shared + at.group * kRowPitch<Shape, PadEvery>};
  inverse<Shape>(
      a.factors, at.thread, room,
      [&](int base, int offset) { return spectrum[stored_at<Shape>(base, offset)]; },
      InRoom<Shape, LineRoom<Shape, PadEvery>>{room});
  room.wait();
  if (at.row >= a.row_count) return;
  float* voxels = a.voxels + blockIdx.y * a.voxel_plane + row * a.voxel_row;
  for (int x = at.thread; x < a.width; x += Shape::kThreads) {
    const float2 part = room.at(x, 0);
    voxels[x] = part.x;
    voxels[a.imaginary + x] = part.y;
  }
}

/// A thread reads its voxels of all parts before it writes the first result, which replaces them.
/// Sums are rounded when they are written here, whichever device computes them.
template <int Parts>
__global__ void __launch_bounds__(kUnfoldThreads) unfold_parts(const UnfoldParts a) {
  constexpr int kVoxels = unfolded_together(Parts);
  constexpr int kUnrolled = Parts <= kPartsInRegisters ? Parts : 1;
  float* const plane = a.planes + blockIdx.y * a.plane;
  const Count slot = a.count * a.plane;
  const Count first = Count{blockIdx.x} * (kVoxels * kUnfoldThreads) + threadIdx.x;
  float2 parts[Parts][kVoxels];
#pragma unroll kUnrolled
  for (int p = 0; p < Parts; ++p)
#pragma unroll
    for (int i = 0; i < kVoxels; ++i)
      if (const Count at = first + i * kUnfoldThreads; at < a.plane)
        parts[p][i] = {plane[2 * p * slot + at], plane[(2 * p + 1) * slot + at]};
  const int begin = a.begin[blockIdx.y], end = a.begin[blockIdx.y + 1];
  Storing<float> storing;
  for (int entry = begin; entry < end; ++entry) {
    float sums[kVoxels];
#pragma unroll kUnrolled
    for (int p = 0; p < Parts; ++p) {
      const float2 rotation = __ldg(a.rotations + p * a.entries + entry);
#pragma unroll
      for (int i = 0; i < kVoxels; ++i) {
        const float2 part = parts[p][i];
        const float brought = __fmaf_rn(rotation.x, part.x, __fmul_rn(rotation.y, part.y));
        sums[i] = p == 0 ? brought : __fadd_rn(sums[i], brought);
      }
    }
#pragma unroll
    for (int i = 0; i < kVoxels; ++i)
      if (const Count at = first + i * kUnfoldThreads; at < a.plane)
        plane[(entry - begin) * slot + at] = storing.stored(sums[i]);
  }
  if (a.counts) add_counts<kUnfoldThreads>(a.counts, storing.clipped, storing.non_finite);
}

}  // namespace synthoscope::fftconv::device
