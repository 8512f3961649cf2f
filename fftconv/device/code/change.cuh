// SPDX-License-Identifier: MIT
// fftconv/device/code/change.cuh — rows of spectra become rows of voxels, which are changed, and
// spectra again, in place: a pass that would store voxels and one that would load them, at once.
//
// The last stage back to voxels and the first stage to the new spectrum have the same points:
// voxels are in registers between them, and nowhere else.
#pragma once
#include "fftconv/device/code/rows.cuh"

namespace synthoscope::fftconv::device {

/// The stages back to voxels but for the last one, into `room`.
template <class Shape, int S = Shape::kLast, class Room, class Take>
__device__ __forceinline__ void inverse_to_first(const float2* __restrict__ factors, int thread,
                                                 const Room& room, Take&& take) {
  const InRoom<Shape, Room> inside{room};
  stage<Shape, S, -1>(factors, thread, take, inside);
  room.wait();
  if constexpr (S > 1) inverse_to_first<Shape, S - 1>(factors, thread, room, inside);
}

/// Does the last stage back, then `change(first, values)`, then the first stage forward, one
/// butterfly at a time: values[m] is at position first + m * Shape::apart(0).
template <class Shape, class Take, class Change, class Put>
__device__ __forceinline__ void turn_at_values(const float2* __restrict__ factors, int thread,
                                               Take&& take, Change&& change, Put&& put) {
  constexpr int r = Shape::radix(0), q = Shape::apart(0), P = Shape::kThreads;
#pragma unroll 1
  for (int round = 0; round < (q + P - 1) / P; ++round) {
    const int j = thread + P * round;
    if (q % P != 0 && j >= q) break;
    float2 v[r];
    {
      float2 w[r];
#pragma unroll
      for (int m = 0; m < r; ++m) v[m] = take(j, m * q);
      if constexpr (q > 1) load_factors<r, q>(factors + j, w);
#pragma unroll
      for (int m = 1; m < r; ++m)
        if (q > 1) v[m] = times_conj(v[m], w[m]);
    }
    dft<-1>(v);
    change(j, v);
    dft<1>(v);
    float2 w[r];
    const int again = renewed(j);
    if constexpr (q > 1) load_factors<r, q>(factors + again, w);
#pragma unroll
    for (int m = 0; m < r; ++m) put(again, m * q, q > 1 && m > 0 ? times(v[m], w[m]) : v[m]);
  }
}

/// `inverse`, a change of the values, `forward`; times the length.
template <class Shape, class Room, class Take, class Change, class Put>
__device__ __forceinline__ void change_values(const float2* __restrict__ factors, int thread,
                                              const Room& room, Take&& take, Change&& change,
                                              Put&& put) {
  const InRoom<Shape, Room> inside{room};
  if constexpr (Shape::kStages == 1) {
    turn_at_values<Shape>(factors, thread, take, change, put);
  } else {
    inverse_to_first<Shape>(factors, thread, room, take);
    turn_at_values<Shape>(factors, renewed(thread), inside, change, inside);
    room.wait();
    forward<Shape, 1>(factors, renewed(thread), room, inside, put);
  }
}

template <class Shape, int PadEvery>
using RowRoomOf = RowRoom<PadEvery, Shape::kThreads <= 32 && 32 % Shape::kThreads == 0>;

/// Changes the row of a group of threads. `change(first, pairs)` gets voxels p and p + kLength as
/// x and y of pair m, where p is first + m * Shape::apart(0), and leaves there what the new
/// spectrum is of. A group that repeats a row stores nothing.
template <class Shape, int Groups, int PadEvery, class Change>
__device__ __forceinline__ void change_row(const SpectrumRows& a,
                                           const RowAtWork<Shape, Groups>& at, float2* shared,
                                           Change&& change) {
  constexpr int r = Shape::radix(0), q = Shape::apart(0);
  float2* spectrum = a.spectra + at.plane * a.spectrum_plane + at.row * a.spectrum_row;
  const RowRoomOf<Shape, PadEvery> room{shared + at.group * kRowPitch<Shape, PadEvery>};
  change_values<Shape>(
      a.factors, at.thread, room,
      [&](int base, int offset) { return spectrum[stored_at<Shape>(base, offset)]; },
      [&](int first, float2(&v)[r]) {
#pragma unroll
        for (int m = 0; m < r; ++m) {
          const float2 x = times_conj(v[m], __ldg(a.half_shift + first + m * q));
          v[m] = {x.x, -x.y};
        }
        change(first, v);
        const float2* shift = a.half_shift + renewed(first);
#pragma unroll
        for (int m = 0; m < r; ++m) v[m] = times({v[m].x, -v[m].y}, __ldg(shift + m * q));
      },
      [&](int base, int offset, float2 value) {
        if (!at.again) spectrum[stored_at<Shape>(base, offset)] = value;
      });
}

/// Returns the sum of `value` over the threads of a group, in the order of the threads, to the
/// first of them. All threads of the block must come here; the room's values are lost.
template <class Shape, int PadEvery>
__device__ __forceinline__ double sum_of_group(const RowRoomOf<Shape, PadEvery>& room, int thread,
                                               double value) {
  constexpr int kThreads = Shape::kThreads, kFew = kThreads < 16 ? kThreads : 16;
  double* const sums = reinterpret_cast<double*>(room.row);
  room.wait();
  sums[thread] = value;
  room.wait();
  if (thread < kFew) {
    for (int i = thread + kFew; i < kThreads; i += kFew) value += sums[i];
    sums[thread] = value;
  }
  room.wait();
  if (thread == 0)
    for (int i = 1; i < kFew; ++i) value += sums[i];
  return value;
}

}  // namespace synthoscope::fftconv::device
