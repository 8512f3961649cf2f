// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_back.cuh — planes of spectra to planes of voxels (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

/// Begins to copy what this block takes of a plane's class, [q][position][column], into the room,
/// by one thread.
template <class P>
__device__ __forceinline__ void load_spectrum(const PlanesBack& a, int work, int rank,
                                              const PlaneSignals<P>& signals, const float2* room) {
  constexpr int kBox = copied_rows(P::kRowsOfClass);
  if (threadIdx.x > 0) return;
  const int plane = work / P::D, part = work % P::D;
  const int first = (plane * P::Classes::kPairs + part / P::Classes::kPair) * P::kRowsOfClass;
  const int x = rank * P::X;
  signals.loaded().expect(P::C * P::kEach * 8);
  for (int row = 0; row < P::kRowsOfClass; row += kBox)
    begin_copy_of_box(own_address(room + row * P::X), a.spectra,
                      {P::D == 1 ? x : 0, part % P::Classes::kPair,
                       P::D == 1 ? 0 : x / P::Classes::kTurn, first + row},
                      signals.loaded());
}

/// The stage back across the blocks of one position. Values of blocks come in the order of their
/// turns, if the q-th frequency was multiplied by exp(2 pi i q b / C) where block b is the first.
template <class P>
__device__ __forceinline__ void part_columns(const float2* turns, int p, float2 (&v)[P::C]) {
  constexpr int C = P::C;
  dft<-1>(v);
  const float4* const pairs = reinterpret_cast<const float4*>(turns + p * C);
#pragma unroll
  for (int c = 0; c < C; c += 2) {
    const float4 pair = pairs[c / 2];
    v[c] = times_conj(v[c], {pair.x, pair.y});
    v[c + 1] = times_conj(v[c + 1], {pair.z, pair.w});
  }
}

/// Does `make(position, i, values)` for the positions that this block takes, and the stage back
/// across the blocks; values go to the rooms of all blocks, to this block's own first, so that each
/// gets from one at a time. Returns when this block has its rows.
template <class P, class Make>
__device__ __forceinline__ void send_rows(const float2* room, const float2* turns, int rank,
                                          const PlaneSignals<P>& signals, int phase, Make&& make) {
  constexpr int C = P::C, kRounds = kRoundsOf<P::kEach, P::T>;
  float2 v[kRounds][C];
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = threadIdx.x + k * P::T;
    const ColumnPosition<P> at{rank, i};
    if (!at.exists) continue;
    make(at, i, v[k]);
    part_columns<P>(turns, at.p, v[k]);
  }
  signals.leave(phase, P::L * P::M * 8);
  const int thread = renewed(static_cast<int>(threadIdx.x));
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const ColumnPosition<P> at{rank, thread + k * P::T};
    if (!at.exists) continue;
    const ClusterAddress to = own_address(room + at.p * P::kPitch + at.x);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const int block = c + rank;
      store_in(block < C ? block : block - C, to, v[k][c], signals.full());
    }
  }
  signals.full().wait(phase);
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

/// Transforms columns of a block, and rows, and stores voxels of a plane's class.
template <class P, class Native>
__device__ __forceinline__ void store_rows_of_plane(const RowsBack& a, float2* room,
                                                    const FactorsOfBlock<P>& factors, int work,
                                                    int rank, Storing<Native>& storing) {
  using Rows = typename P::Rows;
  using Columns = typename P::Columns;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), M = P::M;
  stages_of_lines<Columns, Columns::kLast, 0, -1, M, P::T>(factors.of_columns,
                                                           ColumnsOfRoom<P::kPitch>{room});
  stages_of_lines<Rows, Rows::kLast, 1, -1, P::L, P::T>(later_factors(factors),
                                                        RowsOfRoom<P::kPitch>{room});
  const int plane = work / P::D, part = work % P::D;
  Native* const voxels = static_cast<Native*>(a.voxels) + plane * a.voxel_plane;
  last_stage_of_rows<P>(factors.first, room, [&](int l, int j, const float2(&v)[r]) {
    const int y = part + P::D * (rank + P::C * l);
    if (y >= a.row_count) return;
    Native* const row = voxels + y * a.voxel_row + j;
    const int left = a.width - j;
#pragma unroll
    for (int m = 0; m < r; ++m) {
      if (m * q < left) row[m * q] = storing.stored(v[m].x);
      if (m * q + M < left) row[m * q + M] = storing.stored(-v[m].y);
    }
  });
}

/// What a block does. @param barriers  PlaneSignals<P>::kCount
template <class P, class Native>
__device__ __forceinline__ void transform_planes_back(const PlanesBack& a, float2* room,
                                                      unsigned long long* barriers) {
  const FactorsOfBlock<P> factors{room + P::kRoom};
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const ClassesAtWork work{P::C, a.rows.planes * P::D};
  factors.bring(a.rows.factors, a.column_factors, a.turns, rank);
  signals.begin();
  Storing<Native> storing;
  if (work.count > 0) load_spectrum(a, work.at(0), rank, signals, room);
  for (int n = 0; n < work.count; ++n) {
    signals.loaded().wait_here(n);
    send_rows(room, factors.turns, rank, signals, n,
              [&](const ColumnPosition<P>&, int i, float2(&v)[P::C]) {
#pragma unroll
                for (int q = 0; q < P::C; ++q)
                  v[q] = times_conj(room[q * P::kEach + i], factors.rotation[q]);
              });
    store_rows_of_plane(a.rows, room, factors, work.at(n), rank, storing);
    if (n + 1 == work.count) break;
    before_copies();
    __syncthreads();
    load_spectrum(a, work.at(n + 1), rank, signals, room);
  }
  if (a.rows.counts) add_counts<P::T>(a.rows.counts, storing.clipped, storing.non_finite);
  signals.end();
}

template <class Line, class Columns, int C, int D, int T, class Native, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T, Blocks)
    planes_back(const __grid_constant__ PlanesBack a) {
  extern __shared__ __align__(128) float2 shared[];
  using P = PlaneOf<Line, Columns, C, D, T>;
  __shared__ unsigned long long barriers[PlaneSignals<P>::kCount];
  transform_planes_back<P, Native>(a, shared, barriers);
}

}  // namespace synthoscope::fftconv::device
