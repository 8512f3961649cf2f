// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_back.cuh — planes of spectra to planes of voxels (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

struct BackSignals {
  ClusterAddress barriers;
  static constexpr int kCount = 3;
  // All blocks fill the room for rows
  __device__ __forceinline__ Signal full() const { return {barriers}; }
  __device__ __forceinline__ Signal taken() const { return {barriers + 8}; }
  __device__ __forceinline__ Signal free() const { return {barriers + 16}; }
};

/// A warp that signals to all blocks that their values of the next plane may come.
template <class P>
__device__ __forceinline__ void signal_for_back(const ClassesAtWork& work,
                                                const BackSignals& signals) {
  const int lane = threadIdx.x % 32;
  for (int n = 0; n + 1 < work.count; ++n) {
    signals.taken().wait_here(n);
    if (lane == 0) signals.full().expect(P::kBytes);
    __syncwarp();
    if (lane < P::C) signals.free().arrive_in(lane);
  }
}

/// The points of a thread's butterflies across the blocks. A thread begins to copy them long before
/// it needs them, into a place of its own, [c][kEach], and waits for no other thread.
template <class P>
struct SpectrumAhead {
  const float2* spectra;
  Count plane_apart;
  float2* exchanged;
  int rank;

  /// Value c of butterfly `i` of this block.
  __device__ __forceinline__ float2 at(int i, int c) const { return exchanged[c * P::kEach + i]; }

  /// Begins to copy the values of butterfly `i` in plane and class `work`.
  __device__ __forceinline__ void begin(int work, int i) const {
    const int part = work % P::D, index = rank * P::kEach + i, x = index % P::M, p = index / P::M;
    const float2* const from = spectra + work / P::D * plane_apart + P::row_of_class(part, p) +
                               P::Classes::in_row(part, x);
    const ClusterAddress to = own_address(exchanged + i);
#pragma unroll
    for (int c = 0; c < P::C; ++c)
      begin_copy_of_value(to + c * (P::kEach * 8), from + c * P::L * P::kSpectrumRow);
  }
};

/// The stage across the blocks: values go to the rooms of all blocks.
/// @param next  plane and class that is copied meanwhile; negative: none
template <class P>
__device__ __forceinline__ void begin_columns(const SpectrumAhead<P>& spectrum, int next,
                                              const float2* turns, const float2* room,
                                              const Signal& full) {
  constexpr int C = P::C, M = P::M;
  wait_for_copies();
  for_each_of<P::kEach, P::T>([&](int i) {
    const int index = spectrum.rank * P::kEach + i, x = index % M, p = index / M;
    float2 v[C], w[C];
#pragma unroll
    for (int c = 0; c < C; ++c) v[c] = spectrum.at(i, c);
    dft<-1>(v);
    take_pairs<C>(turns + p * C, w);
#pragma unroll
    for (int c = 1; c < C; ++c) v[c] = times_conj(v[c], w[c]);
    if (next >= 0) spectrum.begin(next, i);
    const ClusterAddress to = own_address(room + p * P::kPitch + x);
#pragma unroll
    for (int c = 0; c < C; ++c) store_in(c, to, v[c], full);
  });
}

/// The last stage of rows, from the room to voxels: `put(l, j, m, value)` gets voxels j + m q and
/// j + m q + M of row l.
template <class P, class Put>
__device__ __forceinline__ void last_stage_of_rows(const float2* factors, const float2* room,
                                                   const Signal& taken, Put&& put) {
  using Rows = typename P::Rows;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), kAll = q * P::L;
  nothing_to_read<kAll, P::T>(taken);
  for_each_of<kAll, P::T>([&](int i) {
    const int l = i / q, j = i % q;
    const float2* from = room + l * P::kPitch + j;
    float2 v[r];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = from[m * q];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = times_conj(v[m], factors[m * q + j]);
    all_read<kAll, P::T>(i, taken);
    dft<-1>(v);
#pragma unroll
    for (int m = 1; m < r; ++m) v[m] = turned<-1, 4 * r>(v[m], m);
    put(l, j, v);
  });
}

template <class Line, class Columns, int C, int D, int T, class Native, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T + kCopyingThreads, Blocks)
    planes_back(const PlanesBack a) {
  extern __shared__ __align__(128) float2 shared[];
  __shared__ unsigned long long barriers[BackSignals::kCount];
  using P = PlaneOf<Line, Columns, C, D, T>;
  constexpr int r = Line::radix(0), q = Line::apart(0), M = P::M;
  const PlaneRooms<P, 1> rooms{shared};
  const PlaneFactors<P> factors = rooms.factors();
  const BackSignals signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const ClassesAtWork work{C, a.rows.planes * D};
  if (threadIdx.x == 0) {
    signals.full().begin(1);
    signals.taken().begin(T / 32);
    signals.free().begin(C);
    signals.full().expect(P::kBytes);
  }
  factors.bring(a.rows.factors, a.column_factors, a.turns);
  __syncthreads();
  meet_in_cluster();
  Storing<Native> storing;
  if (threadIdx.x >= T) {
    signal_for_back<P>(work, signals);
  } else {
    const SpectrumAhead<P> spectrum{a.rows.spectra, a.rows.spectrum_plane, rooms.exchanged(), rank};
    float2* const room = rooms.rows(0);
    if (work.count > 0) for_each_of<P::kEach, T>([&](int i) { spectrum.begin(work.at(0), i); });
    for (int n = 0; n < work.count; ++n) {
      if (n > 0) signals.free().wait(n - 1);
      begin_columns<P>(spectrum, n + 1 < work.count ? work.at(n + 1) : -1, factors.turns, room,
                       signals.full());
      signals.full().wait(n);
      stages_of_lines<Columns, Columns::kLast, 0, -1, M, T>(factors.of_columns,
                                                            ColumnsOfRoom<P::kPitch>{room});
      stages_of_lines<Line, Line::kLast, 1, -1, P::L, T>(later_factors(factors),
                                                         RowsOfRoom<P::kPitch>{room});
      const int plane = work.at(n) / D, part = work.at(n) % D;
      Native* const voxels = static_cast<Native*>(a.rows.voxels) + plane * a.rows.voxel_plane;
      last_stage_of_rows<P>(factors.first, room, signals.taken(),
                            [&](int l, int j, const float2(&v)[r]) {
                              const int y = part + D * (rank + C * l);
                              if (y >= a.rows.row_count) return;
                              Native* const row = voxels + y * a.rows.voxel_row + j;
                              const int left = a.rows.width - j;
#pragma unroll
                              for (int m = 0; m < r; ++m) {
                                if (m * q < left) row[m * q] = storing.stored(v[m].x);
                                if (m * q + M < left) row[m * q + M] = storing.stored(-v[m].y);
                              }
                            });
    }
  }
  if (a.rows.counts)
    add_counts<T + kCopyingThreads>(a.rows.counts, storing.clipped, storing.non_finite);
  // No block leaves while others signal to it
  __syncthreads();
  meet_in_cluster();
}

}  // namespace synthoscope::fftconv::device
