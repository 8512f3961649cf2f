// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_forward.cuh — planes of voxels to planes of spectra (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

template <class P, class Native, Placing Placed, Choice Loaded>
struct VoxelRows {
  const PlanesForward& a;
  int rank;

  /// Row l of this block as a row of the source, or a negative number.
  __device__ __forceinline__ int source(int part, int l) const {
    const int y = part + P::D * (rank + P::C * l);
    if constexpr (Loaded == Choice::listed) return __ldg(a.loaded.slots + y);
    return Loaded == Choice::all || y < a.loaded.count ? y : -1;
  }
  /// Where voxels of row l are copied to, in bytes from the begin of a room. Rows of a room follow
  /// each other at odd multiples of 8 bytes, copies need multiples of 16: there is room for both.
  static __device__ __forceinline__ int place(int l) { return (l * P::kPitch + (l & 1)) * 8; }

  __device__ __forceinline__ PlacedVoxels<Native, Placed> in_source(int plane, int row) const {
    return {a.rows, plane, PlacedRow{row, 0}};
  }
  __device__ __forceinline__ PlacedVoxels<Native, Placed> in_room(int plane, const float2* room,
                                                                  int l) const {
    PlacedVoxels<Native, Placed> row{a.rows, plane, PlacedRow{0, 0}};
    row.voxels = reinterpret_cast<const Native*>(reinterpret_cast<const char*>(room) + place(l));
    return row;
  }
};

/// Voxels fit the room of a row.
template <class Native, Placing Placed>
constexpr bool kCanBeCopied = sizeof(Native) <= 4 && Placed != Placing::listed;

/// Begins to copy the rows of a plane's class into the room, by the first warp, and announces what
/// blocks will send.
template <class P, class Rows>
__device__ __forceinline__ void load_rows(const PlanesForward& a, const Rows& voxels, int work,
                                          const PlaneSignals<P>& signals, const float2* room,
                                          int voxel_bytes) {
  if (threadIdx.x >= 32) return;
  const int lane = threadIdx.x, plane = work / P::D, part = work % P::D;
  if (lane == 0) signals.full().expect(P::kBytes);
  if (!a.copied) return;
  const int bytes = a.rows.width * voxel_bytes;
  int rows = 0;
  for (int l = lane; l < P::L; l += 32) rows += voxels.source(part, l) >= 0;
  rows = __reduce_add_sync(~0u, rows);
  if (lane == 0) signals.loaded().expect(rows * bytes);
  __syncwarp();
  const char* from =
      static_cast<const char*>(a.rows.voxels) + plane * a.rows.voxel_plane * voxel_bytes;
  const ClusterAddress to = own_address(room);
  for (int l = lane; l < P::L; l += 32)
    if (const int row = voxels.source(part, l); row >= 0)
      begin_copy(to + Rows::place(l), from + row * a.rows.voxel_row * voxel_bytes, bytes,
                 signals.loaded());
}

/// The first stage of rows, from voxels that `row_of(l)` has, if any, into the room. Voxels may lie
/// where the row's values come to: all lanes of a row read before they write.
template <class P, class RowOf>
__device__ __forceinline__ void first_stage_of_rows(const float2* factors, float2* room,
                                                    RowOf&& row_of) {
  using Rows = typename P::Rows;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), M = P::M;
  static_assert(32 % q == 0, "a row is of one warp");
  for_each_of<q * P::L, P::T>([&](int i) {
    // Rows of a warp are 8 apart, in other banks
    const int j = i % q, l = q == 16 && P::L % 16 == 0
                                 ? i / 32 / 8 * 16 + i / 32 % 8 + 8 * (i / q % 2)
                                 : i / q;
    float2 v[r], w[r];
    row_of(
        l,
        [&](const auto& row) {
#pragma unroll
          for (int m = 0; m < r; ++m) v[m] = {row.at(j + m * q), -row.at(j + m * q + M)};
        },
        [&] {
#pragma unroll
          for (int m = 0; m < r; ++m) v[m] = {0, 0};
        });
    __syncwarp();
    // exp(-i pi m q / (2 M)); the rest of the half shift is in the factors
#pragma unroll
    for (int m = 1; m < r; ++m) v[m] = turned<1, 4 * r>(v[m], m);
    dft<1>(v);
#pragma unroll
    for (int m = 0; m < r; ++m) w[m] = factors[m * q + j];
    float2* const to = room + l * P::kPitch + j;
#pragma unroll
    for (int m = 0; m < r; ++m) to[m * q] = times(v[m], w[m]);
  });
}

/// The last stage of columns within a block; values go to the blocks that take them.
template <class P>
__device__ __forceinline__ void send_columns(const float2* room, int rank,
                                             const PlaneSignals<P>& signals, int phase) {
  using Columns = typename P::Columns;
  constexpr int r = Columns::radix(Columns::kLast), M = P::M, T = P::T, kRounds = P::L / r * M / T;
  float2 v[kRounds][r];
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = threadIdx.x + k * T;
    const float2* from = room + i / M * r * P::kPitch + i % M;
#pragma unroll
    for (int m = 0; m < r; ++m) v[k][m] = from[m * P::kPitch];
    dft<1>(v[k]);
  }
  signals.leave(phase);
  const int thread = renewed(static_cast<int>(threadIdx.x));
  const ClusterAddress to = own_address(room + rank * P::kEach);
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = thread + k * T, x = i % M, b = i / M;
#pragma unroll
    for (int m = 0; m < r; ++m) {
      const int index = (b * r + m) * M + x, taker = index / P::kEach;
      store_in(taker, to + (index - taker * P::kEach) * 8, v[k][m], signals.full());
    }
  }
}

/// The stage across the blocks, to the spectrum of class `part`: position p of a column and the
/// q-th value of its butterfly are row q L + p. `then` is called by all threads once they have
/// read.
template <class P, class Then>
__device__ __forceinline__ void finish_columns(const float2* room, const float2* turns,
                                               float2* spectrum, int part, int rank, Then&& then) {
  constexpr int C = P::C, M = P::M;
  for_each_of<P::kEach, P::T>([&](int i) {
    const int index = rank * P::kEach + i, x = index % M, p = index / M;
    float2 v[C], w[C];
#pragma unroll
    for (int c = 0; c < C; ++c) v[c] = room[c * P::kEach + i];
    take_pairs<C>(turns + p * C, w);
#pragma unroll
    for (int c = 1; c < C; ++c) v[c] = times(v[c], w[c]);
    dft<1>(v);
    if (i + P::T >= P::kEach) then();
    float2* const out = spectrum + P::row_of_class(part, p) + P::Classes::in_row(part, x);
#pragma unroll
    for (int c = 0; c < C; ++c) out[c * P::L * P::kSpectrumRow] = v[c];
  });
}

template <class Line, class Columns, int C, int D, int T, class Native, Placing Placed,
          Choice Loaded, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T, Blocks)
    planes_forward(const PlanesForward a) {
  extern __shared__ __align__(128) float2 shared[];
  using P = PlaneOf<Line, Columns, C, D, T>;
  __shared__ unsigned long long barriers[PlaneSignals<P>::kCount];
  const PlaneRoom<P> memory{shared};
  const PlaneFactors<P> factors = memory.factors();
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const VoxelRows<P, Native, Placed, Loaded> voxels{a, rank};
  const ClassesAtWork work{C, a.rows.planes * D};
  float2* const room = memory.rows;
  factors.bring(a.rows.factors, a.column_factors, a.turns);
  signals.begin();
  const auto load = [&](int n) {
    load_rows<P>(a, voxels, work.at(n), signals, room, static_cast<int>(sizeof(Native)));
  };
  if (work.count > 0) load(0);
  for (int n = 0; n < work.count; ++n) {
    const int plane = work.at(n) / D, part = work.at(n) % D;
    if (kCanBeCopied<Native, Placed> && a.copied) {
      signals.loaded().wait_here(n);
      first_stage_of_rows<P>(factors.first, room, [&](int l, auto&& take, auto&& none) {
        if (Loaded == Choice::all || voxels.source(part, l) >= 0)
          take(voxels.in_room(plane, room, l));
        else
          none();
      });
    } else {
      first_stage_of_rows<P>(factors.first, room, [&](int l, auto&& take, auto&& none) {
        if (const int row = voxels.source(part, l); Loaded == Choice::all || row >= 0)
          take(voxels.in_source(plane, row));
        else
          none();
      });
    }
    __syncthreads();
    stages_of_lines<Line, 1, Line::kLast, 1, P::L, T>(later_factors(factors),
                                                      RowsOfRoom<P::kPitch>{room});
    stages_of_lines<Columns, 0, Columns::kLast - 1, 1, P::M, T>(factors.of_columns,
                                                                ColumnsOfRoom<P::kPitch>{room});
    send_columns<P>(room, rank, signals, n);
    signals.full().wait(n);
    finish_columns<P>(room, factors.turns, a.rows.spectra + plane * a.rows.spectrum_plane, part,
                      rank, [&] {
                        // The next rows come while these results are stored
                        before_copies();
                        __syncthreads();
                        if (n + 1 < work.count) load(n + 1);
                      });
  }
  // No block leaves while others signal to it
  __syncthreads();
  meet_in_cluster();
}

}  // namespace synthoscope::fftconv::device
