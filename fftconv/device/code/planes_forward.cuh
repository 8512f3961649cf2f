// SPDX-License-Identifier: MIT
// fftconv/device/code/planes_forward.cuh — planes of voxels to planes of spectra (planes.cuh).
#pragma once
#include "fftconv/device/code/planes.cuh"

namespace synthoscope::fftconv::device {

template <class P, class Native, Placing Placed, Choice Loaded>
struct VoxelRows {
  const PlanesForward& a;
  int rank;

  /// Voxels fit the room of a row, and lie where they can be copied from.
  __device__ __forceinline__ bool copied() const {
    return sizeof(Native) <= 4 && Placed != Placing::listed && a.copied;
  }
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

/// Begins to copy the rows of a plane's class into the room, by the first warp.
template <class P, class Native, Placing Placed, Choice Loaded>
__device__ __forceinline__ void load_rows(const VoxelRows<P, Native, Placed, Loaded>& voxels,
                                          int work, const PlaneSignals<P>& signals,
                                          const float2* room) {
  constexpr Count kVoxel = sizeof(Native);
  if (threadIdx.x >= 32 || !voxels.copied()) return;
  const RowsForward& a = voxels.a.rows;
  const int lane = threadIdx.x, plane = work / P::D, part = work % P::D;
  const int bytes = a.width * static_cast<int>(kVoxel);
  int rows = 0;
  for (int l = lane; l < P::L; l += 32) rows += voxels.source(part, l) >= 0;
  rows = __reduce_add_sync(~0u, rows);
  if (lane == 0) signals.loaded(0).expect(rows * bytes);
  __syncwarp();
  const char* const from = static_cast<const char*>(a.voxels) + plane * a.voxel_plane * kVoxel;
  const ClusterAddress to = own_address(room);
  for (int l = lane; l < P::L; l += 32)
    if (const int row = voxels.source(part, l); row >= 0)
      begin_copy(to + voxels.place(l), from + row * a.voxel_row * kVoxel, bytes, signals.loaded(0));
}

/// The first stage of rows, from voxels that `row_of(l)` has, if any, into the room. Voxels may lie
/// where the row's values come to: all lanes of a row read before they write.
template <class P, class RowOf>
__device__ __forceinline__ void first_stage_of_rows(const float2* factors, float2* room,
                                                    RowOf&& row_of) {
  using Rows = typename P::Rows;
  constexpr int r = Rows::radix(0), q = Rows::apart(0), M = P::M;
  static_assert(q <= 32, "a row is of one warp");
  constexpr int kTogether = 32 / q, kWarps = P::T / 32;
  const int lane = threadIdx.x % 32, j = lane % q;
  for (int w = threadIdx.x / 32; w < kRoundsOf<P::L, kTogether>; w += kWarps) {
    // Two rows of a warp are 8 apart, in other banks
    const int l =
        q == 16 && P::L % 16 == 0 ? w / 8 * 16 + w % 8 + 8 * (lane / q) : w * kTogether + lane / q;
    const bool exists =
        (32 % q == 0 || lane < kTogether * q) && (P::L % kTogether == 0 || l < P::L);
    float2 v[r];
    if (exists)
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
    if (!exists) continue;
      // exp(-i pi m q / (2 M)); the rest of the half shift is in the factors
#pragma unroll
    for (int m = 1; m < r; ++m) v[m] = turned<1, 4 * r>(v[m], m);
    dft<1>(v);
    float2* const to = room + l * P::kPitch + j;
#pragma unroll
    for (int m = 0; m < r; ++m) to[m * q] = times(v[m], factors[m * q + j]);
  }
}

/// Waits for the rows of a plane's class, and transforms them, and columns but for the last stage
/// within a block.
template <class P, class Native, Placing Placed, Choice Loaded>
__device__ __forceinline__ void transform_rows(const VoxelRows<P, Native, Placed, Loaded>& voxels,
                                               const FactorsOfBlock<P>& factors,
                                               const PlaneSignals<P>& signals, float2* room,
                                               int work, int phase) {
  using Rows = typename P::Rows;
  using Columns = typename P::Columns;
  const int plane = work / P::D, part = work % P::D;
  if (voxels.copied()) {
    signals.loaded(0).wait_here(phase);
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
  stages_of_lines<Rows, 1, Rows::kLast, 1, P::L, P::T>(later_factors(factors),
                                                       RowsOfRoom<P::kPitch>{room});
  stages_of_lines<Columns, 0, Columns::kLast - 1, 1, P::M, P::T>(factors.of_columns,
                                                                 ColumnsOfRoom<P::kPitch>{room});
}

/// The last stage of columns within a block; values go to the blocks that take them, and the class
/// that was drawn. Returns when this block has what it takes, [block][position][column].
/// @param turned  the order of the blocks begins with the block that takes
template <class P>
__device__ __forceinline__ void send_columns(const float2* room, int rank, bool turned,
                                             const PlaneSignals<P>& signals, int phase,
                                             const ClassesAtWork<P>& classes, int drawn) {
  using Columns = typename P::Columns;
  constexpr int r = Columns::radix(Columns::kLast), M = P::M, T = P::T, X = P::X;
  constexpr int kAll = P::L / r * M, kRounds = kRoundsOf<kAll, T>;
  float2 v[kRounds][r];
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = threadIdx.x + k * T;
    if (kAll % T != 0 && i >= kAll) break;
    const float2* from = room + i / M * r * P::kPitch + i % M;
#pragma unroll
    for (int m = 0; m < r; ++m) v[k][m] = from[m * P::kPitch];
    dft<1>(v[k]);
  }
  signals.leave(phase, P::C * P::taken_by(rank) * 8 + classes.kSentBytes);
  classes.send(drawn, rank, signals.full());
  const int thread = renewed(static_cast<int>(threadIdx.x));
#pragma unroll
  for (int k = 0; k < kRounds; ++k) {
    const int i = thread + k * T;
    if (kAll % T != 0 && i >= kAll) break;
    const int x = i % M, taker = x / X, p = i / M * r;
    const int first = turned ? taker : 0, place = rank < first ? rank - first + P::C : rank - first;
    const ClusterAddress to = own_address(room + place * P::kEach + p * X + x - taker * X);
#pragma unroll
    for (int m = 0; m < r; ++m) store_in(taker, to + m * X * 8, v[k][m], signals.full());
  }
  signals.full().wait(phase);
}

/// The stage across the blocks of the i-th position that this block takes: v[q] is the q-th
/// frequency, or exp(2 pi i q b / C) times that where the order of the blocks begins with block b.
template <class P>
__device__ __forceinline__ void join_columns(const float2* room, const float2* turns,
                                             const ColumnPosition<P>& at, float2 (&v)[P::C]) {
  constexpr int C = P::C;
  const float4* const pairs = reinterpret_cast<const float4*>(turns + at.p * C);
#pragma unroll
  for (int c = 0; c < C; c += 2) {
    const float4 pair = pairs[c / 2];
    v[c] = times(room[c * P::kEach + at.i], {pair.x, pair.y});
    v[c + 1] = times(room[(c + 1) * P::kEach + at.i], {pair.z, pair.w});
  }
  dft<1>(v);
}

/// The stage across the blocks, to the spectrum of class `part`: position p of a column and the
/// q-th value of its butterfly are row q L + p. `then` is called by all threads once they have
/// read.
template <class P, class Then>
__device__ __forceinline__ void finish_columns(const float2* room, const float2* turns,
                                               float2* spectrum, int part, int rank, Then&& then) {
  constexpr int C = P::C, L = P::L;
#pragma unroll 1
  for (int k = 0; k < P::kRounds; ++k) {
    const ColumnPosition<P> at{rank, static_cast<int>(threadIdx.x), k};
    float2 v[C];
    if (at.exists) join_columns(room, turns, at, v);
    if (k + 1 == P::kRounds) then();
    if (!at.exists) continue;
    float2* const out = spectrum + P::in_spectrum(part, at.p, at.x);
#pragma unroll
    for (int c = 0; c < C; ++c) out[c * L * P::kSpectrumRow] = v[c];
  }
}

/// What a block does. @param barriers  PlaneSignals<P>::kCount
template <class P, class Native, Placing Placed, Choice Loaded>
__device__ __forceinline__ void transform_planes(const PlanesForward& a, float2* room,
                                                 unsigned long long* barriers) {
  const FactorsOfBlock<P> factors{room + P::layout().values()};
  const PlaneSignals<P> signals{own_address(barriers)};
  const int rank = rank_in_cluster();
  const VoxelRows<P, Native, Placed, Loaded> voxels{a, rank};
  const ClassesAtWork<P> classes{a.rows.planes * P::D, a.drawn,
                                 room + P::layout().values() + FactorsOfBlock<P>::kCount};
  factors.bring(a.rows.factors, a.column_factors, a.turns, a.turned ? rank : 0);
  signals.begin();
  int work = classes.first();
  load_rows(voxels, work, signals, room);
  for (int n = 0; work < classes.all; ++n) {
    const int drawn = classes.draw(rank);
    transform_rows(voxels, factors, signals, room, work, n);
    send_columns(room, rank, a.turned, signals, n, classes, drawn);
    const int next = classes.sent();
    finish_columns<P>(room, factors.turns, a.rows.spectra + work / P::D * a.rows.spectrum_plane,
                      work % P::D, rank, [&] {
                        // The next rows come while these results are stored
                        before_copies();
                        __syncthreads();
                        if (next < classes.all) load_rows(voxels, next, signals, room);
                      });
    work = next;
  }
  signals.end();
}

template <class Line, class Columns, int C, int D, int T, class Native, Placing Placed,
          Choice Loaded, int Blocks>
__global__ void __cluster_dims__(C, 1, 1) __launch_bounds__(T, Blocks)
    planes_forward(const PlanesForward a) {
  extern __shared__ __align__(128) float2 shared[];
  using P = PlaneOf<Line, Columns, C, D, T>;
  __shared__ unsigned long long barriers[PlaneSignals<P>::kCount];
  transform_planes<P, Native, Placed, Loaded>(a, shared, barriers);
}

}  // namespace synthoscope::fftconv::device
