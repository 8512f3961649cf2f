// SPDX-License-Identifier: MIT
// fftconv/device/code/line.cuh — a transform of one line by a group of threads.
//
// Values are in shared memory, or in device memory before the first stage and after the last. In
// each stage a thread takes the points of a butterfly, transforms them in registers and writes them
// back to the same positions: decimation in frequency, in place, so that one barrier between two
// stages is enough. The spectrum stays in the order in which the stages leave it; the product of
// two spectra does not depend on the order, and the inverse undoes it.
// @source Gentleman & Sande, Fast Fourier transforms: for fun and profit, AFIPS 1966.
#pragma once
#include "fftconv/device/code/dft.cuh"

namespace synthoscope::fftconv::device {

/// A line of L points, transformed by P threads in stages of radices R.
template <int L, int P, int... R>
struct Line {
  static constexpr int kLength = L, kThreads = P, kStages = sizeof...(R), kLast = kStages - 1;
  static_assert((R * ... * 1) == L, "the radices must multiply to the length");

  __host__ __device__ static constexpr int radix(int stage) {
    const int radices[] = {R...};
    return radices[stage];
  }
  /// Points of a block of a stage, and from one point of a butterfly to the next.
  __host__ __device__ static constexpr int block(int stage) {
    int points = L;
    for (int i = 0; i < stage; ++i) points /= radix(i);
    return points;
  }
  __host__ __device__ static constexpr int apart(int stage) { return block(stage) / radix(stage); }
  /// Factors of all stages are contiguous; those of one stage are [radix - 1][apart].
  __host__ __device__ static constexpr int factors_before(int stage) {
    int count = 0;
    for (int i = 0; i < stage; ++i) count += (radix(i) - 1) * apart(i);
    return count;
  }
};

/// The factors exp(-2 pi i j m / n), m = 1 .. Radix - 1, of the butterfly at place j of a block of
/// n points. A few are read, the others are products of two of them: reading is what the stage
/// waits for, and longer products would cost precision.
template <int Radix, int Apart>
__device__ __forceinline__ void load_factors(const float2* __restrict__ row, float2 (&w)[Radix]) {
#pragma unroll
  for (int m = 1; m < Radix; ++m)
    w[m] = m < 4 || m % 4 == 0 ? __ldg(row + (m - 1) * Apart) : times(w[m / 4 * 4], w[m % 4]);
}

/// Rounds of a stage that a thread has in hand at the same time: enough loads under way, and no
/// more values than its registers hold.
template <int Radix>
constexpr int kRoundsTogether = Radix >= 12 ? 1 : 16 / Radix;

/// What a thread does in one stage: `take(base, offset)` gives the value at a position and
/// `put(base, offset, value)` brings it back; a position is the sum of what is known only to the
/// thread and what the compiler knows.
template <class Shape, int S, int Sign, class Take, class Put>
__device__ __forceinline__ void stage(const float2* __restrict__ factors, int thread, Take&& take,
                                      Put&& put) {
  constexpr int r = Shape::radix(S), q = Shape::apart(S), n = Shape::block(S);
  constexpr int butterflies = Shape::kLength / r, P = Shape::kThreads;
  constexpr int together = kRoundsTogether<r>;
#pragma unroll together
  for (int round = 0; round < (butterflies + P - 1) / P; ++round) {
    const int b = thread + P * round;
    if (butterflies % P != 0 && b >= butterflies) break;
    const int j = b % q, base = b / q * n + j;
    float2 v[r], w[r];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = take(base, m * q);
    if constexpr (q > 1) load_factors<r, q>(factors + Shape::factors_before(S) + j, w);
#pragma unroll
    for (int m = 1; m < r; ++m)
      if (Sign < 0 && q > 1) v[m] = times_conj(v[m], w[m]);
    dft<Sign>(v);
#pragma unroll
    for (int m = 0; m < r; ++m)
      put(base, m * q, Sign > 0 && q > 1 && m > 0 ? times(v[m], w[m]) : v[m]);
  }
}

/// The line's values in shared memory; `wait` is a barrier of all threads that share a line.
template <class Shape, class Room>
struct InRoom {
  const Room& room;
  __device__ __forceinline__ float2 operator()(int base, int offset) const {
    return room.at(base, offset);
  }
  __device__ __forceinline__ void operator()(int base, int offset, float2 value) const {
    room.at(base, offset) = value;
  }
};

/// Stages 0 to the last from `take` to `put`; between them values lie in `room`.
template <class Shape, int S = 0, class Room, class Take, class Put>
__device__ __forceinline__ void forward(const float2* __restrict__ factors, int thread,
                                        const Room& room, Take&& take, Put&& put) {
  const InRoom<Shape, Room> inside{room};
  if constexpr (S == Shape::kLast) {
    stage<Shape, S, 1>(factors, thread, take, put);
  } else {
    stage<Shape, S, 1>(factors, thread, take, inside);
    room.wait();
    forward<Shape, S + 1>(factors, thread, room, inside, put);
  }
}

/// Undoes `forward`, times the length.
template <class Shape, int S = Shape::kLast, class Room, class Take, class Put>
__device__ __forceinline__ void inverse(const float2* __restrict__ factors, int thread,
                                        const Room& room, Take&& take, Put&& put) {
  const InRoom<Shape, Room> inside{room};
  if constexpr (S == 0) {
    stage<Shape, S, -1>(factors, thread, take, put);
  } else {
    stage<Shape, S, -1>(factors, thread, take, inside);
    room.wait();
    inverse<Shape, S - 1>(factors, thread, room, inside, put);
  }
}

/// The stages before the last one, into `room`.
template <class Shape, int S = 0, class Room, class Take>
__device__ __forceinline__ void forward_to_last(const float2* __restrict__ factors, int thread,
                                                const Room& room, Take&& take) {
  const InRoom<Shape, Room> inside{room};
  stage<Shape, S, 1>(factors, thread, take, inside);
  room.wait();
  if constexpr (S + 1 < Shape::kLast) forward_to_last<Shape, S + 1>(factors, thread, room, inside);
}

/// Returns the same number, hidden from the compiler: what depends on it is computed again instead
/// of being kept in registers that the butterflies need.
__device__ __forceinline__ int renewed(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

/// The last stage, `multiply(base, offset, value)` on the spectrum, and the first stage back: their
/// butterflies have the same points.
template <class Shape, class Take, class Multiply, class Put>
__device__ __forceinline__ void turn_around(int thread, Take&& take, Multiply&& multiply,
                                            Put&& put) {
  constexpr int r = Shape::radix(Shape::kLast), butterflies = Shape::kLength / r;
  constexpr int P = Shape::kThreads, together = kRoundsTogether<r>;
#pragma unroll together
  for (int round = 0; round < (butterflies + P - 1) / P; ++round) {
    const int b = thread + P * round;
    if (butterflies % P != 0 && b >= butterflies) break;
    float2 v[r];
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = take(b * r, m);
    dft<1>(v);
#pragma unroll
    for (int m = 0; m < r; ++m) v[m] = multiply(b * r, m, v[m]);
    dft<-1>(v);
#pragma unroll
    for (int m = 0; m < r; ++m) put(b * r, m, v[m]);
  }
}

/// `forward`, a product, `inverse`, times the length.
template <class Shape, class Room, class Take, class Multiply, class Put>
__device__ __forceinline__ void convolve(const float2* __restrict__ factors, int thread,
                                         const Room& room, Take&& take, Multiply&& multiply,
                                         Put&& put) {
  const InRoom<Shape, Room> inside{room};
  if constexpr (Shape::kStages == 1) {
    turn_around<Shape>(thread, take, multiply, put);
  } else {
    forward_to_last<Shape>(factors, thread, room, take);
    turn_around<Shape>(renewed(thread), inside, multiply, inside);
    room.wait();
    inverse<Shape, Shape::kLast - 1>(factors, renewed(thread), room, inside, put);
  }
}

}  // namespace synthoscope::fftconv::device
