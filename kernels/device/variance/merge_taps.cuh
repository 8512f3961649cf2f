// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_taps.cuh — windows of any weights along one axis, such as
// Gaussians: a thread makes kTapResults neighbours along the axis, which share what they read. The
// sums are the code of kernels/body/threewise.hpp, in the same order.
#pragma once
#include "kernels/device/variance/merge_feed.cuh"

namespace synthoscope::kernels::device {

/// Makes a window along x of the image.
template <class In, class Results, int kTaps>
__global__ void __launch_bounds__(kLineThreads)
    merge_line_taps(const RunArguments a, const RunWeights weights) {
  constexpr int kReach = kTaps - 1, kPad = tap_pad(kTaps), kHeld = kLine + 2 * kPad;
  static_assert(kLineEach == kTapResults);
  extern __shared__ __align__(16) float memory[];
  const LinePiece piece{a, kLine, kPad};
  bring_line<In>(a, piece, kHeld, kReach, [&](int i, int, float voxel) { memory[i] = voxel; });
  __syncthreads();
  struct alignas(16) Set {
    float values[4];
  };
  constexpr int kSets = 1 + 2 * kPad / 4;
  Set sets[kSets];
#pragma unroll
  for (int i = 0; i < kSets; ++i) sets[i] = reinterpret_cast<const Set*>(memory)[threadIdx.x + i];
  const auto voxel = [&](int i) { return sets[(kPad + i) / 4].values[(kPad + i) % 4]; };
  PairSums<float> sums[kTapResults];
#pragma unroll
  for (int tap = 1; tap < kTaps; ++tap)
#pragma unroll
    for (int r = 0; r < kTapResults; ++r)
      add_pair(voxel(r), voxel(r - tap), voxel(r + tap), weights.taps[tap], sums[r]);
  RunResults<Results> results{a};
  const Count x = piece.x + kPad + kTapResults * static_cast<int>(threadIdx.x);
#pragma unroll
  for (int r = 0; r < kTapResults; ++r) {
    if (x + r >= a.box.columns) break;
    const ResultPlace place{a, piece.z, piece.y, x + r};
    results.store(joined(Part{voxel(r), 0, 0}, weights.taps[0], sums[r]), piece.row + x + r,
                  place.index(), place.is_in_plane() && place.is_in_row() && place.is_in_column());
  }
  results.finish();
}

/// The last elements of a thread's column.
template <int kRing, bool kOfImage>
struct TapRing {
  float* memory;  ///< of the thread: voxels, offsets and variances; elements are kMarchColumns
                  ///< apart
  int slot;       ///< of the last element

  [[nodiscard]] Part back(int elements) const {
    const int before = slot - elements;
    const float* const at = memory + (before < 0 ? before + kRing : before) * kMarchColumns;
    constexpr int kApart = kRing * kMarchColumns;
    if constexpr (kOfImage) return {at[0], 0, 0};
    return {at[0], at[kApart], at[2 * kApart]};
  }
  void put(int at, const Part& part) const {
    float* const to = memory + at * kMarchColumns;
    constexpr int kApart = kRing * kMarchColumns;
    to[0] = part.voxel;
    if constexpr (!kOfImage) {
      to[kApart] = part.offset;
      to[2 * kApart] = part.variance;
    }
  }
};

/// Makes a window along y or z.
template <class In, class Results, bool kOfImage, bool kAlongZ, int kTaps>
__global__ void __launch_bounds__(kMarchColumns)
    merge_column_taps(const RunArguments a, const RunWeights weights) {
  using Feed = ColumnFeed<In, Results, kOfImage, kAlongZ>;
  constexpr int kReach = kTaps - 1, kRing = tap_ring(kTaps);
  extern __shared__ __align__(16) float memory[];
  Feed feed{a, kReach, reinterpret_cast<int*>(memory + kRing * kMarchColumns * (kOfImage ? 1 : 3))};
  if (!feed.makes()) return;
  const int steps = feed.steps();
  TapRing<kRing, kOfImage> ring{memory + threadIdx.x, 0};
  typename Feed::Came coming[kTapResults];
#pragma unroll
  for (int i = 0; i < kTapResults; ++i)
    if (i < steps) coming[i] = feed.read(i);
  int begin = 0;
  for (int first = 0; first < steps; first += kTapResults) {
#pragma unroll
    for (int i = 0; i < kTapResults; ++i) {
      ring.put(begin + i, coming[i].as_part());
      if (first + kTapResults + i < steps) coming[i] = feed.read(first + kTapResults + i);
    }
    ring.slot = begin + kTapResults - 1;
    begin = begin + kTapResults == kRing ? 0 : begin + kTapResults;
    const int done = first - 2 * kReach;  // the first of the results
    if (done + kTapResults <= 0) continue;
    // The last element read is the farthest neighbour of the last result
    Part centre[kTapResults], left[kTapResults], right[kTapResults];
    PairSums<float> sums[kTapResults];
#pragma unroll
    for (int r = 0; r < kTapResults; ++r)
      centre[r] = left[r] = right[r] = ring.back(kReach + kTapResults - 1 - r);
#pragma unroll
    for (int tap = 1; tap < kTaps; ++tap) {
#pragma unroll
      for (int r = kTapResults - 1; r > 0; --r) left[r] = left[r - 1];
      left[0] = ring.back(kReach + kTapResults - 1 + tap);
#pragma unroll
      for (int r = 0; r + 1 < kTapResults; ++r) right[r] = right[r + 1];
      right[kTapResults - 1] = ring.back(kReach - tap);
#pragma unroll
      for (int r = 0; r < kTapResults; ++r)
        if constexpr (kOfImage)
          add_pair(centre[r].voxel, left[r].voxel, right[r].voxel, weights.taps[tap], sums[r]);
        else
          add_pair(centre[r], left[r], right[r], weights.taps[tap], sums[r]);
    }
#pragma unroll
    for (int r = 0; r < kTapResults; ++r)
      if (done + r >= 0 && done + r + 2 * kReach < steps)
        feed.store(done + r, joined(centre[r], weights.taps[0], sums[r]));
  }
  feed.finish();
}

}  // namespace synthoscope::kernels::device
