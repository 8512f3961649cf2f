// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_back.cuh — planes of spectra to planes of voxels (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

/// Begins to copy half of what this block takes of a plane's class into the room, by one thread:
/// [round][q][position of a round][column], where q is a frequency across the blocks.
template <class P>
__device__ __forceinline__ void load_spectrum(const PlanesBack& a, int work, int half, int rank,
                                              const PlaneSignals<P>& signals, const float2* room) {
  constexpr int kTurn = ClassLayout{P::D}.turn(), kTogether = P::layout().together();
  constexpr int kOfHalf = P::L / kTogether / P::kHalves;
  if (threadIdx.x > 0) return;
  const int plane = work / P::D, part = work % P::D, x = rank * P::X;
  signals.loaded(half).expect(P::C * P::kEach / P::kHalves * 8);
#pragma unroll
  for (int i = 0; i < kOfHalf; ++i) {
    const int position = (half * kOfHalf + i) * kTogether;
    begin_copy_of_box(
        own_address(room + position * P::C * P::X), a.spectra,
        {P::D == 1 ? x : part * kTurn, P::D == 1 ? 0 : x / kTurn, position, plane * P::C},
        signals.loaded(half));
  }
}

/// The stage back across the blocks of one position. The order of the blocks begins with block b
/// where the q-th frequency was multiplied by exp(2 pi i q b / C).
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

/// Does `make(round, position, values)` for the positions that this block takes, and the stage back
/// across the blocks; values go to the rooms of all blocks, to this block's own first, so that each
/// gets from one at a time. Returns when this block has its rows. `send_more()` sends `more_bytes`
/// to each block.
template <class P, class Make, class SendMore>
__device__ __forceinline__ void send_rows(const float2* room, const float2* turns, int rank,
                                          const PlaneSignals<P>& signals, int phase, Make&& make,
                                          int more_bytes, SendMore&& send_more) {
  constexpr int C = P::C, kRounds = P::kRounds;
  float2 v[kRounds][C];
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const ColumnPosition<P> at{rank, static_cast<int>(threadIdx.x), k};
    make(k, at, v[k]);
    if (at.exists) part_columns<P>(turns, at.p, v[k]);
  }
  signals.leave(phase, P::L * P::M * 8 + more_bytes);
  send_more();
  const int thread = renewed(static_cast<int>(threadIdx.x));
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const ColumnPosition<P> at{rank, thread, k};
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
/// j + m q + M of row l. All threads call `then(half)` once they have read half of the rows.
template <class P, class Put, class Then>
__device__ __forceinline__ void last_stage_of_rows(const float2* factors, const float2* room,
                                                   Put&& put, Then&& then) {
  using Rows = typename P::Rows;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), kAll = q * P::L;
  constexpr int kRounds = kRoundsOf<kAll, P::T>;
#pragma unroll 1
  for (int k = 0; k < kRounds; ++k) {
    const int i = threadIdx.x + k * P::T, l = i / q, j = i % q;
    const bool exists = kAll % P::T == 0 || i < kAll;
    const float2* from = room + l * P::kPitch + j;
    float2 v[r];
#pragma unroll
    for (int m = 0; m < r; ++m)
      if (exists) v[m] = from[m * q];
    if (P::kHalves == 2 && 2 * (k + 1) == kRounds) then(0);
    if (k + 1 == kRounds) then(P::kHalves - 1);
    if (!exists) continue;
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = times_conj(v[m], factors[m * q + j]);
    dft<-1>(v);
#pragma unroll
    for (int m = 1; m < r; ++m) v[m] = turned<-1, 4 * r>(v[m], m);
    put(l, j, v);
  }
}

/// Stores voxels j + m q and j + m q + M of a row that has `width`.
template <int M, int Q, class Native, int R>
__device__ __forceinline__ void store_voxels(Native* row, int width, int j, const float2 (&v)[R],
                                             Storing<Native>& storing) {
  Native* const to = row + j;
  if (width == 2 * M) {
    storing.count(v);
#pragma unroll
    for (int m = 0; m < R; ++m) {
      to[m * Q] = Storing<Native>::converted(v[m].x);
      to[m * Q + M] = Storing<Native>::converted(-v[m].y);
    }
    return;
  }
  const int left = width - j;
#pragma unroll
  for (int m = 0; m < R; ++m) {
    if (m * Q < left) to[m * Q] = storing.stored(v[m].x);
    if (m * Q + M < left) to[m * Q + M] = storing.stored(-v[m].y);
  }
}

/// Transforms columns of a block, and rows, and stores voxels of a plane's class. All threads call
/// `then(half)` as last_stage_of_rows does.
template <class P, class Native, class Then>
__device__ __forceinline__ void store_rows_of_plane(const RowsBack& a, float2* room,
                                                    const FactorsOfBlock<P>& factors, int work,
                                                    int rank, Storing<Native>& storing,
                                                    Then&& then) {
  using Rows = typename P::Rows;
  using Columns = typename P::Columns;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), M = P::M;
  stages_of_lines<Columns, Columns::kLast, 0, -1, M, P::T>(factors.of_columns,
                                                           ColumnsOfRoom<P::kPitch>{room});
  stages_of_lines<Rows, Rows::kLast, 1, -1, P::L, P::T>(later_factors(factors),
                                                        RowsOfRoom<P::kPitch>{room});
  const int plane = work / P::D, part = work % P::D;
  Native* const voxels = static_cast<Native*>(a.voxels) + plane * a.voxel_plane;
  last_stage_of_rows<P>(
      factors.first, room,
      [&](int l, int j, const float2(&v)[r]) {
        const int y = part + P::D * (rank + P::C * l);
        if (y < a.row_count) store_voxels<M, q>(voxels + y * a.voxel_row, a.width, j, v, storing);
      },
      then);
}

/// What a block does. @param barriers  PlaneSignals<P>::kCount
template <class P, class Native>
__device__ __forceinline__ void transform_planes_back(const PlanesBack& a, float2* room,
                                                      unsigned long long* barriers) {
  const FactorsOfBlock<P> factors{room + P::layout().values()};
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const ClassesAtWork<P> classes{a.rows.planes * P::D, a.drawn,
                                 room + P::layout().values() + FactorsOfBlock<P>::kCount};
  factors.bring(a.rows.factors, a.column_factors, a.turns, rank);
  signals.begin();
  Storing<Native> storing;
  int work = classes.first();
  for (int half = 0; half < P::kHalves; ++half) load_spectrum(a, work, half, rank, signals, room);
  for (int n = 0; work < classes.all; ++n) {
    const int drawn = classes.draw(rank);
    send_rows(
        room, factors.turns, rank, signals, n,
        [&](int k, const ColumnPosition<P>& at, float2(&v)[P::C]) {
          constexpr int kApart = P::layout().together() * P::X;
          signals.loaded(P::kHalves == 2 ? 2 * k / P::kRounds : 0).wait_here(n);
          if (!at.exists) return;
          const float2* const from = room + (P::kHalves == 2 ? at.i + k * (P::C - 1) * P::T : at.i);
#pragma unroll
          for (int q = 0; q < P::C; ++q) v[q] = from[q * kApart];
        },
        classes.kSentBytes, [&] { classes.send(drawn, rank, signals.full()); });
    const int next = classes.sent();
    store_rows_of_plane<P>(a.rows, room, factors, work, rank, storing, [&](int half) {
      if (next >= classes.all) return;
      before_copies();
      __syncthreads();
      load_spectrum(a, next, half, rank, signals, room);
    });
    work = next;
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
