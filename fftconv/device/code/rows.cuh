// SPDX-License-Identifier: MIT
// fftconv/device/code/rows.cuh — real rows to half spectra and back.
//
// A row of 2 M reals is M complex numbers at half-integer frequencies,
//     (x[m] - i x[m + M]) exp(-i pi m / (2 M)),
// so that its transform has neither a real frequency nor one that is stored twice. What wraps
// around the row changes its sign.
#pragma once
#include "core/volume/stored_voxel.hpp"
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/device/code/line.cuh"

namespace synthoscope::fftconv::device {

/// Contiguous lines in shared memory, padded so that a butterfly's points and its neighbours' are
/// in different banks.
template <int PadEvery, bool OneWarp>
struct RowRoom {
  float2* row;
  __host__ __device__ static constexpr int place(int position) {
    return PadEvery > 0 ? position + position / PadEvery : position;
  }
  __device__ __forceinline__ float2& at(int base, int offset) const {
    return row[place(base) + place(offset)];
  }
  __device__ __forceinline__ void wait() const {
    if constexpr (OneWarp)
      __syncwarp();
    else
      __syncthreads();
  }
};

/// Returns where frequency base + offset of a line is stored: those of neighbouring threads are
/// neighbours.
template <class Shape>
__device__ __forceinline__ int stored_at(int base, int offset) {
  constexpr int r = Shape::radix(Shape::kLast);
  return offset * (Shape::kLength / r) + base / r;
}

template <class Native>
struct Widened {
  using Type = float;
};
template <>
struct Widened<int> {
  using Type = double;
};
template <>
struct Widened<unsigned int> {
  using Type = double;
};
template <>
struct Widened<double> {
  using Type = double;
};
template <class Native>
using WideFor = typename Widened<Native>::Type;

template <class Shape, int PadEvery>
constexpr int kRowPitch = RowRoom<PadEvery, false>::place(Shape::kLength);

/// Returns the thread's plane, row and position. Rows of all planes are numbered in one sequence,
/// so that all groups of a block have rows even if a plane has one row. Groups beyond the last row
/// repeat it.
template <class Shape, int Groups>
struct RowAtWork {
  int thread, group, plane, row;
  bool again;
  __device__ __forceinline__ RowAtWork(int rows, int planes)
      : thread(threadIdx.x % Shape::kThreads), group(threadIdx.x / Shape::kThreads) {
    const unsigned asked = blockIdx.x * Groups + group,
                   last = static_cast<unsigned>(rows) * static_cast<unsigned>(planes) - 1;
    again = asked > last;
    const unsigned taken = again ? last : asked;
    plane = static_cast<int>(taken / static_cast<unsigned>(rows));
    row = static_cast<int>(taken - plane * static_cast<unsigned>(rows));
  }
};

/// A row of voxels at the positions of its transform, scaled. As exact as the host: integers that
/// single precision does not hold are scaled in double.
template <class Native, Placing Placed>
struct PlacedVoxels {
  using Wide = WideFor<Native>;
  const Native* voxels;
  const int* columns;
  int width;
  Wide scale, background;

  __device__ __forceinline__ PlacedVoxels(const RowsForward& a, int plane, PlacedRow placed)
      : voxels(static_cast<const Native*>(a.voxels) + plane * a.voxel_plane +
               placed.source * a.voxel_row),
        columns(a.columns),
        width(a.width),
        scale(static_cast<Wide>(a.scale) *
              static_cast<Wide>(a.plane_scale ? a.plane_scale[plane] : 1.0f)),
        background(static_cast<Wide>(a.background)) {}

  __device__ __forceinline__ float at(int p) const {
    // What is outside is read as background, so that nothing but the load depends on it
    Wide v = background;
    if constexpr (Placed == Placing::listed) {
      const int column = __ldg(columns + p);
      if (column != 0) v = static_cast<Wide>(voxels[abs(column) - 1]);
      return static_cast<float>((column < 0 ? -scale : scale) * (v - background));
    } else {
      if (Placed == Placing::whole || p < width) v = static_cast<Wide>(voxels[p]);
      return static_cast<float>(scale * (v - background));
    }
  }
};

template <class Shape, int Groups, int PadEvery, class Native, Placing Placed, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks)
    rows_forward(const RowsForward a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength;
  const RowAtWork<Shape, Groups> at{a.row_count, a.planes};
  const PlacedRow placed = a.rows ? a.rows[at.row] : PlacedRow{at.row, at.row};
  const PlacedVoxels<Native, Placed> row{a, at.plane, placed};
  float2* spectrum = a.spectra + at.plane * a.spectrum_plane + placed.position * a.spectrum_row;
  using Room = RowRoom<PadEvery, Shape::kThreads <= 32 && 32 % Shape::kThreads == 0>;
  forward<Shape>(
      a.factors, at.thread, Room{shared + at.group * kRowPitch<Shape, PadEvery>},
      [&](int base, int offset) {
        const int m = base + offset;
        return times({row.at(m), -row.at(m + M)}, __ldg(a.half_shift + m));
      },
      [&](int base, int offset, float2 value) {
        spectrum[stored_at<Shape>(base, offset)] = value;
      });
}

/// What a thread's voxels lost on their way to Native.
template <class Native>
struct Storing {
  static constexpr bool kHasFractions = static_cast<Native>(0.5f) != static_cast<Native>(0);
  int clipped = 0, non_finite = 0;

  __device__ __forceinline__ Native stored(float value) {
    non_finite += !is_finite(value);
    if constexpr (!kHasFractions) clipped += !in_range<Native>(value);
    return converted(value);
  }

  /// The same without counting.
  static __device__ __forceinline__ Native converted(float value) {
    if constexpr (kHasFractions)
      return static_cast<Native>(value);
    else
      return rounded<Native>(value);
  }

  /// Counts what `stored` would count of all values.
  template <int R>
  __device__ __forceinline__ void count(const float2 (&v)[R]) {
    // Zero times a finite value is zero, so one sum shows whether any value is not finite
    float none = 0;
#pragma unroll
    for (int m = 0; m < R; ++m) none += v[m].x * 0.0f + v[m].y * 0.0f;
    if (!is_finite(none)) {
#pragma unroll
      for (int m = 0; m < R; ++m) non_finite += !is_finite(v[m].x) + !is_finite(v[m].y);
    }
    if constexpr (!kHasFractions) {
#pragma unroll
      for (int m = 0; m < R; ++m) clipped += !in_range<Native>(v[m].x) + !in_range<Native>(-v[m].y);
    }
  }
};

/// Adds up what all threads of a block counted, in whole warps where they can; sums of integers do
/// not depend on their order. All threads of the block must come here.
template <int Threads>
__device__ __forceinline__ void add_counts(unsigned long long* counts, int clipped,
                                           int non_finite) {
#if __CUDA_ARCH__ >= 800
  const int left = Threads - static_cast<int>(threadIdx.x) / 32 * 32;
  const unsigned warp = left >= 32 ? ~0u : (1u << left) - 1;
  clipped = __reduce_add_sync(warp, clipped);
  non_finite = __reduce_add_sync(warp, non_finite);
  if (threadIdx.x % 32 != 0) return;
#endif
  if (clipped != 0) atomicAdd(counts, static_cast<unsigned long long>(clipped));
  if (non_finite != 0) atomicAdd(counts + 1, static_cast<unsigned long long>(non_finite));
}

template <class Shape, int Groups, int PadEvery, class Native, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* Groups, Blocks) rows_back(const RowsBack a) {
  extern __shared__ __align__(128) float2 shared[];
  constexpr int M = Shape::kLength;
  const RowAtWork<Shape, Groups> at{a.row_count, a.planes};
  const int width = at.again ? 0 : a.width;  // nothing is stored and counted twice
  const float2* spectrum = a.spectra + at.plane * a.spectrum_plane + at.row * a.spectrum_row;
  Native* voxels = static_cast<Native*>(a.voxels) + at.plane * a.voxel_plane + at.row * a.voxel_row;
  Storing<Native> storing;
  using Room = RowRoom<PadEvery, Shape::kThreads <= 32 && 32 % Shape::kThreads == 0>;
  inverse<Shape>(
      a.factors, at.thread, Room{shared + at.group * kRowPitch<Shape, PadEvery>},
      [&](int base, int offset) { return spectrum[stored_at<Shape>(base, offset)]; },
      [&](int base, int offset, float2 value) {
        const int m = base + offset;
        const float2 x = times_conj(value, __ldg(a.half_shift + m));
        if (m < width) voxels[m] = storing.stored(x.x);
        if (m + M < width) voxels[m + M] = storing.stored(-x.y);
      });
  if (a.counts) add_counts<Shape::kThreads * Groups>(a.counts, storing.clipped, storing.non_finite);
}

}  // namespace synthoscope::fftconv::device
