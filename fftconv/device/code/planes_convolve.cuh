// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_convolve.cuh — planes of voxels, convolved with one plane each by
// itself, to planes of voxels: spectra are never in memory.
//
// The stage across the blocks forward and the one back have the same points: they are in a thread's
// registers, where they are multiplied by the transfer function. The cluster holds a whole plane.
#pragma once
#include "fftconv/device/code/planes_back.cuh"
#include "fftconv/device/code/planes_forward.cuh"

namespace synthoscope::fftconv::device {

/// What a block does. @param barriers  PlaneSignals<P>::kCount
template <class P, class Native, Placing Placed, Choice Loaded, class Stored>
__device__ __forceinline__ void convolve_planes(const PlanesConvolve& a, float2* room,
                                                unsigned long long* barriers) {
  static_assert(P::D == 1, "classes are put together along z");
  const FactorsOfBlock<P> factors{room + P::layout().values()};
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const VoxelRows<P, Native, Placed, Loaded> voxels{a.forward, rank};
  const ClassesAtWork<P> planes{a.forward.rows.planes, a.forward.drawn,
                                room + P::layout().values() + FactorsOfBlock<P>::kCount};
  factors.bring(a.forward.rows.factors, a.forward.column_factors, a.forward.turns, rank);
  signals.begin();
  Storing<Stored> storing;
  int plane = planes.first();
  load_rows(voxels, plane, signals, room);
  for (int n = 0; plane < planes.all; ++n) {
    const int drawn = planes.draw(rank);
    transform_rows(voxels, factors, signals, room, plane, n);
    send_columns(room, rank, true, signals, 2 * n, planes, drawn);
    const int next = planes.sent();
    send_rows(
        room, factors.turns, rank, signals, 2 * n + 1,
        [&](int /*round*/, const ColumnPosition<P>& at, float2(&v)[P::C]) {
          if (!at.exists) return;
          join_columns(room, factors.turns, at, v);
          const float2* const transfer = a.transfer + at.p * P::kWide + at.x;
#pragma unroll
          for (int c = 0; c < P::C; ++c) v[c] = times(v[c], __ldg(transfer + c * P::L * P::kWide));
        },
        0, [] {});
    store_rows_of_plane<P>(a.back, room, factors, plane, rank, storing, [&](int half) {
      if (half + 1 < P::kHalves || next >= planes.all) return;
      before_copies();
      __syncthreads();
      load_rows(voxels, next, signals, room);
    });
    plane = next;
  }
  if (a.back.counts) add_counts<P::T>(a.back.counts, storing.clipped, storing.non_finite);
  signals.end();
}

template <class Line, class Columns, int C, int T, class Native, Placing Placed, Choice Loaded,
          class Stored, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T, Blocks)
    planes_convolve(const PlanesConvolve a) {
  extern __shared__ __align__(128) float2 shared[];
  using P = PlaneOf<Line, Columns, C, 1, T>;
  __shared__ unsigned long long barriers[PlaneSignals<P>::kCount];
  convolve_planes<P, Native, Placed, Loaded, Stored>(a, shared, barriers);
}

}  // namespace synthoscope::fftconv::device
