// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_back.cuh — planes of spectra to planes of voxels (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

/// Begins to copy what this block has of a plane's class, [q][kEach], into the room, by the first
/// warp, and announces what blocks will send. Where classes take turns in a row, values are copied
/// one by one, by all threads.
template <class P>
__device__ __forceinline__ void load_spectrum(const PlanesBack& a, int work, int rank,
                                              const PlaneSignals<P>& signals, const float2* room) {
  constexpr int M = P::M, kEach = P::kEach;
  const int part = work % P::D, first = rank * kEach;
  const float2* const from = a.rows.spectra + work / P::D * a.rows.spectrum_plane;
  const ClusterAddress to = own_address(room);
  if (threadIdx.x == 0) signals.full().expect(P::kBytes);
  if constexpr (P::D == 1) {
    if (threadIdx.x >= 32) return;
    if (threadIdx.x == 0) signals.loaded().expect(P::kBytes);
    __syncwarp();
    constexpr int kPieces = (kEach + M - 1) / M + (kEach % M != 0);
    for (int i = threadIdx.x; i < P::C * kPieces; i += 32) {
      const int q = i / kPieces, p = first / M + i % kPieces;
      const int begin = max(p * M, first), end = min((p + 1) * M, first + kEach);
      if (begin < end)
        begin_copy(to + (q * kEach + begin - first) * 8,
                   from + P::row_of_class(0, q * P::L + p) + begin - p * M, (end - begin) * 8,
                   signals.loaded());
    }
  } else {
    for_each_of<kEach, P::T>([&](int i) {
      const int x = (first + i) % M, p = (first + i) / M;
      const float2* const value = from + P::row_of_class(part, p) + P::Classes::in_row(part, x);
#pragma unroll
      for (int q = 0; q < P::C; ++q)
        begin_copy_of_value(to + (q * kEach + i) * 8, value + q * P::L * P::kSpectrumRow);
    });
  }
}

/// Waits for what load_spectrum has begun.
template <class P>
__device__ __forceinline__ void wait_for_spectrum(const PlaneSignals<P>& signals, int phase) {
  if constexpr (P::D == 1)
    signals.loaded().wait_here(phase);
  else
    wait_for_copies();  // a thread reads what it has copied itself
}

/// The stage across the blocks: values go to the rooms of all blocks.
template <class P>
__device__ __forceinline__ void begin_columns(const float2* room, const float2* turns, int rank,
                                              const PlaneSignals<P>& signals, int phase) {
  constexpr int C = P::C, M = P::M, T = P::T, kRounds = P::kEach / T;
  float2 v[kRounds][C];
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = threadIdx.x + k * T;
#pragma unroll
    for (int c = 0; c < C; ++c) v[k][c] = room[c * P::kEach + i];
    dft<-1>(v[k]);
    const float4* const pairs =
        reinterpret_cast<const float4*>(turns + (rank * P::kEach + i) / M * C);
#pragma unroll
    for (int c = 0; c < C; c += 2) {
      const float4 pair = pairs[c / 2];
      if (c > 0) v[k][c] = times_conj(v[k][c], {pair.x, pair.y});
      v[k][c + 1] = times_conj(v[k][c + 1], {pair.z, pair.w});
    }
  }
  signals.leave(phase);
  const int thread = renewed(static_cast<int>(threadIdx.x));
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int index = rank * P::kEach + thread + k * T;
    const ClusterAddress to = own_address(room + index / M * P::kPitch + index % M);
#pragma unroll
    for (int c = 0; c < C; ++c) store_in(c, to, v[k][c], signals.full());
  }
}

/// The last stage of rows, from the room to voxels: `put(l, j, values)` gets voxels j + m q and
/// j + m q + M of row l.
template <class P, class Put>
__device__ __forceinline__ void last_stage_of_rows(const float2* factors, const float2* room,
                                                   Put&& put) {
  using Rows = typename P::Rows;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), kAll = q * P::L;
  for_each_of<kAll, P::T>([&](int i) {
    const int l = i / q, j = i % q;
    const float2* from = room + l * P::kPitch + j;
    float2 v[r];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = from[m * q];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = times_conj(v[m], factors[m * q + j]);
    dft<-1>(v);
#pragma unroll
    for (int m = 1; m < r; ++m) v[m] = turned<-1, 4 * r>(v[m], m);
    put(l, j, v);
  });
}

template <class Line, class Columns, int C, int D, int T, class Native, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T, Blocks)
    planes_back(const PlanesBack a) {
  extern __shared__ __align__(128) float2 shared[];
  using P = PlaneOf<Line, Columns, C, D, T>;
  __shared__ unsigned long long barriers[PlaneSignals<P>::kCount];
  constexpr int r = Line::radix(0), q = Line::apart(0), M = P::M;
  const PlaneRoom<P> memory{shared};
  const PlaneFactors<P> factors = memory.factors();
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const ClassesAtWork work{C, a.rows.planes * D};
  float2* const room = memory.rows;
  factors.bring(a.rows.factors, a.column_factors, a.turns);
  signals.begin();
  Storing<Native> storing;
  if (work.count > 0) load_spectrum<P>(a, work.at(0), rank, signals, room);
  for (int n = 0; n < work.count; ++n) {
    wait_for_spectrum<P>(signals, n);
    begin_columns<P>(room, factors.turns, rank, signals, n);
    signals.full().wait(n);
    stages_of_lines<Columns, Columns::kLast, 0, -1, M, T>(factors.of_columns,
                                                          ColumnsOfRoom<P::kPitch>{room});
    stages_of_lines<Line, Line::kLast, 1, -1, P::L, T>(later_factors(factors),
                                                       RowsOfRoom<P::kPitch>{room});
    const int plane = work.at(n) / D, part = work.at(n) % D;
    Native* const voxels = static_cast<Native*>(a.rows.voxels) + plane * a.rows.voxel_plane;
    last_stage_of_rows<P>(factors.first, room, [&](int l, int j, const float2(&v)[r]) {
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
    if (n + 1 == work.count) break;
    before_copies();
    __syncthreads();
    load_spectrum<P>(a, work.at(n + 1), rank, signals, room);
  }
  if (a.rows.counts) add_counts<T>(a.rows.counts, storing.clipped, storing.non_finite);
  // No block leaves while others signal to it
  __syncthreads();
  meet_in_cluster();
}

}  // namespace synthoscope::fftconv::device
