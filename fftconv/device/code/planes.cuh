// SPDX-License-Identifier: MIT
// fftconv/device/code/planes.cuh — whole planes between voxels and spectra: rows and columns in one
// pass, in the shared memory of a cluster of blocks.
//
// A plane has D C L rows of M complex values (rows.cuh). Its rows y = e (mod D) are class e, which
// a cluster of C blocks transforms by itself; columns along z put classes together (columns.cuh).
// Row e + D (r + C l) of class e is row l of block r. Each block transforms its rows, and its
// columns of L values; then the last stage of columns takes a value of each block. To this end a
// block takes X columns of all blocks: they send each value once, into shared memory, and at any
// time each to another block.
// @source decimation in time, Cooley & Tukey, Math. Comp. 19 (1965).
#pragma once
#include "fftconv/device/code/cluster.cuh"
#include "fftconv/device/code/rows.cuh"
#include "fftconv/lines/plane_room.hpp"

namespace synthoscope::fftconv::device {

template <class RowLine, class ColumnLine, int kBlocks, int kClasses, int kThreads>
struct PlaneOf {
  using Rows = RowLine;
  using Columns = ColumnLine;
  static constexpr int M = Rows::kLength, L = Columns::kLength;
  static constexpr int C = kBlocks, D = kClasses, T = kThreads;
  static constexpr int kRowsOfClass = C * L;
  static constexpr PlaneRoom layout() { return {M, L, C, D, T, Rows::apart(0)}; }
  static constexpr int kPitch = layout().pitch(), kEach = layout().each();
  static constexpr int X = layout().columns();  ///< of a block
  static constexpr int kHalves = layout().halves(), kRounds = (kEach + T - 1) / T;
  static constexpr int kWide = (M + 15) / 16 * 16;  ///< values of a row of a class's spectrum
  static constexpr int kSpectrumRow = kWide * D;

  /// Values that block `rank` takes from every block: the last ones may have fewer columns.
  static __device__ __forceinline__ int taken_by(int rank) {
    return L * max(0, min(X, M - rank * X));
  }

  /// From the begin of a plane's spectrum to a value of class e.
  static __device__ __forceinline__ int in_spectrum(int e, int row, int x) {
    constexpr int kTurn = ClassLayout{D}.turn();
    return row * kSpectrumRow + x / kTurn * kColumnsTogether + e * kTurn + x % kTurn;
  }
};

/// Returns the number of factors before a stage. Those of a butterfly are contiguous, and an odd
/// number of them is completed to pairs.
template <class Shape>
constexpr int paired_factors_before(int stage) {
  int count = 0;
  for (int i = 0; i < stage; ++i) count += (Shape::radix(i) + 1) / 2 * 2 * Shape::apart(i);
  return count;
}

/// Factors in shared memory. The first stage of rows has its own, with the half shift, [m][j].
template <class P>
struct FactorsOfBlock {
  using Rows = typename P::Rows;
  using Columns = typename P::Columns;
  static constexpr int kLater =
      paired_factors_before<Rows>(Rows::kStages) - paired_factors_before<Rows>(1);
  static constexpr int kOfColumns = paired_factors_before<Columns>(Columns::kStages);
  static constexpr int kCount = P::M + P::M % 2 + kLater + kOfColumns + P::kRowsOfClass;
  float2 *first, *later, *of_columns, *turns;

  __device__ __forceinline__ explicit FactorsOfBlock(float2* room)
      : first(room),
        later(first + P::M + P::M % 2),
        of_columns(later + kLater),
        turns(of_columns + kOfColumns) {}

  /// All threads call this. @param first_block  begins the order of the blocks
  __device__ __forceinline__ void bring(const float2* rows, const float2* columns,
                                        const float2* all_turns, int first_block) const {
    constexpr int kStep = P::T;
    for (int i = threadIdx.x; i < P::M; i += kStep) first[i] = rows[i];
    for (int i = threadIdx.x; i < kLater; i += kStep) later[i] = rows[P::M + i];
    for (int i = threadIdx.x; i < kOfColumns; i += kStep) of_columns[i] = columns[i];
    for (int i = threadIdx.x; i < P::kRowsOfClass; i += kStep)
      turns[i] = all_turns[i / P::C * P::C + (i + first_block) % P::C];
  }
};

/// Signals of a block for each plane and class. What blocks exchange lies in the room of rows: all
/// values are in registers between the last read and the first value that comes. Several blocks of
/// a multiprocessor hide each other's waiting.
template <class P>
struct PlaneSignals {
  ClusterAddress barriers;
  static constexpr int kCount = 4;
  /// What is copied into a half of the room has come.
  __device__ __forceinline__ Signal loaded(int half) const { return {barriers + 8 * half}; }
  /// No block reads its room any more: values may be sent to all.
  __device__ __forceinline__ Signal left() const { return {barriers + 16}; }
  /// What the blocks have sent has come.
  __device__ __forceinline__ Signal full() const { return {barriers + 24}; }

  /// All threads call this first. When it returns, all blocks of the cluster have begun.
  __device__ __forceinline__ void begin() const {
    if (threadIdx.x == 0) {
      for (int half = 0; half < P::kHalves; ++half) loaded(half).begin(1);
      left().begin(P::C * (P::T / 32));
      full().begin(1);
    }
    __syncthreads();
    meet_in_cluster();
  }
  /// All threads call this last: no block ends while others signal to it.
  __device__ __forceinline__ void end() const {
    __syncthreads();
    meet_in_cluster();
  }
  /// Each warp says to all blocks that its threads have read the room, and waits until all have.
  /// @param bytes  that blocks will send
  __device__ __forceinline__ void leave(int phase, int bytes) const {
    if (threadIdx.x == 0) full().expect(bytes);
    __syncwarp();
    if (const int lane = threadIdx.x % 32; lane < P::C) left().arrive_in(lane);
    left().wait(phase);
  }
};

/// The classes of planes that a cluster transforms: the first has the number of the cluster, each
/// later one is the next that no cluster has drawn. So clusters transform the classes of a plane,
/// which share lines of memory, at the same time.
template <class P>
struct ClassesAtWork {
  int all;
  unsigned* drawn;  ///< classes beyond the first of each cluster; zero before and after a launch
  float2* next;     ///< of this block; the next class comes here, with what blocks send
  static constexpr int kSentBytes = 8;

  [[nodiscard]] __device__ __forceinline__ int first() const {
    return static_cast<int>(blockIdx.x) / P::C;
  }
  /// Draws the next class, by one thread of the cluster.
  __device__ __forceinline__ int draw(int rank) const {
    // All clusters together draw as often as there are classes
    return rank == 0 && threadIdx.x == 0
               ? static_cast<int>(gridDim.x) / P::C +
                     static_cast<int>(atomicInc(drawn, static_cast<unsigned>(all) - 1))
               : 0;
  }
  /// Sends it to all blocks.
  __device__ __forceinline__ void send(int drawn_class, int rank, const Signal& signal) const {
    if (rank != 0 || threadIdx.x > 0) return;
#pragma unroll 1
    for (int block = 0; block < P::C; ++block)
      store_in(block, own_address(next), {__int_as_float(drawn_class), 0}, signal);
  }
  [[nodiscard]] __device__ __forceinline__ int sent() const {
    return __float_as_int(next->x);
  }
};

/// What a thread takes in a round: position p of column x, of every block. It is the i-th of the
/// values that come from a block.
template <class P>
struct ColumnPosition {
  int i, x, p;
  bool exists;
  __device__ __forceinline__ ColumnPosition(int rank, int thread, int round)
      : i(thread + round * P::T),
        x(rank * P::X + i % P::X),
        p(i / P::X),
        exists((P::kEach % P::T == 0 || i < P::kEach) && (P::C * P::X == P::M || x < P::M)) {}
};

/// Rounds in which T threads do All things.
template <int All, int T>
constexpr int kRoundsOf = (All + T - 1) / T;

template <int R>
__device__ __forceinline__ void take_pairs(const float2* from, float2 (&w)[R]) {
  const float4* pairs = reinterpret_cast<const float4*>(from);
#pragma unroll
  for (int i = 0; i < (R + 1) / 2; ++i) {
    const float4 pair = pairs[i];
    w[2 * i] = {pair.x, pair.y};
    if (2 * i + 1 < R) w[2 * i + 1] = {pair.z, pair.w};
  }
}

/// Calls `each(i)` for i below All, by T threads.
template <int All, int T, int Together = 1, class Each>
__device__ __forceinline__ void for_each_of(Each&& each) {
  constexpr int together = Together;
#pragma unroll together
  for (int i = threadIdx.x; i < All; i += T) each(i);
}

/// Positions of a room's rows, or of its columns.
template <int Pitch>
struct RowsOfRoom {
  static constexpr int kStep = 1;
  float2* room;
  __device__ __forceinline__ float2* at(int line, int position) const {
    return room + line * Pitch + position;
  }
};
template <int Pitch>
struct ColumnsOfRoom {
  static constexpr int kStep = Pitch;
  float2* room;
  __device__ __forceinline__ float2* at(int line, int position) const {
    return room + position * Pitch + line;
  }
};

/// One stage of `Count` lines in a room. Neighbouring threads have neighbouring lines: they read
/// the same factors.
template <class Shape, int S, int Sign, int Count, int T, class Lines>
__device__ __forceinline__ void stage_of_lines(const float2* factors, Lines lines) {
  constexpr int r = Shape::radix(S), q = Shape::apart(S), n = Shape::block(S);
  constexpr int step = Lines::kStep * q;
  for_each_of<Shape::kLength / r * Count, T,
              r <= 4   ? 4
              : r <= 8 ? 2
                       : 1>([&](int i) {
    const int line = i % Count, b = i / Count, j = b % q;
    float2* const at = lines.at(line, b / q * n + j);
    float2 v[r], w[r];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = at[m * step];
    if constexpr (q > 1)
      take_pairs<r>(factors + paired_factors_before<Shape>(S) + j * ((r + 1) / 2 * 2), w);
#pragma unroll
    for (int m = 1; m < r; ++m)
      if (Sign < 0 && q > 1) v[m] = times_conj(v[m], w[m]);
    dft<Sign>(v);
#pragma unroll
    for (int m = 0; m < r; ++m)
      at[m * step] = Sign > 0 && q > 1 && m > 0 ? times(v[m], w[m]) : v[m];
  });
}

/// Stages S to Last, upwards or downwards; the threads meet after each.
template <class Shape, int S, int Last, int Sign, int Count, int T, class Lines>
__device__ __forceinline__ void stages_of_lines(const float2* factors, Lines lines) {
  if constexpr (Sign > 0 ? S <= Last : S >= Last) {
    stage_of_lines<Shape, S, Sign, Count, T>(factors, lines);
    __syncthreads();
    stages_of_lines<Shape, S + Sign, Last, Sign, Count, T>(factors, lines);
  }
}

/// Factors of the stages after the first one, addressed from the first one on.
template <class P>
__device__ __forceinline__ const float2* later_factors(const FactorsOfBlock<P>& factors) {
  return factors.later - paired_factors_before<typename P::Rows>(1);
}

}  // namespace synthoscope::fftconv::device
