// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_run.cuh — all merges along an axis in one launch: along x on pieces
// of rows in shared memory, along y and z with a thread a column. The merges are the code of
// kernels/body/threewise.hpp, so results have the bits of one launch a merge.
#pragma once
#include "kernels/device/variance/merge_feed.cuh"

namespace synthoscope::kernels::device {

/// A run as template parameters; three numbers a merge: sides, centre, spacing.
template <int... kNumbers>
struct RunOf {
  static constexpr MergeRun make() {
    const int numbers[] = {kNumbers...};
    MergeRun run;
    run.merges = sizeof...(kNumbers) / 3;
    for (int i = 0; i < run.merges; ++i) {
      run.sides[i] = numbers[3 * i];
      run.centre[i] = numbers[3 * i + 1];
      run.spacing[i] = numbers[3 * i + 2];
    }
    return run;
  }
  static constexpr MergeRun kRun = make();
};

/// The merges of a line, one after another. Elements at its ends are made from memory that was
/// never written; no result depends on them.
template <class Run, bool kOfImage>
struct Line {
  static constexpr MergeRun kRun = Run::kRun;
  static constexpr int kPitch = kLine + 2 * kRun.widest();
  float* voxels;
  MergedPart* parts;
  const RunWeights& weights;
  MergedPart own[kRun.merges + 1][kLineEach];

  [[nodiscard]] MergedPart* buffer(int signal) const {
    return parts + kRun.buffer(signal, kOfImage) * kPitch;
  }

  template <int kMerge>
  void merge() {
    constexpr int kSides = kRun.sides[kMerge], kCentre = kRun.centre[kMerge],
                  kSpacing = kRun.spacing[kMerge];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kLineEach; ++k) {
      const int at = kRun.widest() + static_cast<int>(threadIdx.x) + k * kLineThreads;
      const auto side = [&](int i) {
        if constexpr (kOfImage && kSides == 0) {
          return Part{voxels[i], 0, 0};
        } else {
          const MergedPart part = buffer(kSides)[i];
          return Part{voxels[i], part.offset, part.variance};
        }
      };
      const Part made = threewise(side(at - kSpacing),
                                  {voxels[at], own[kCentre][k].offset, own[kCentre][k].variance},
                                  side(at + kSpacing), weights.merges[kMerge]);
      own[kMerge + 1][k] = {made.offset, made.variance};
      if constexpr (kRun.is_side(kMerge + 1)) buffer(kMerge + 1)[at] = own[kMerge + 1][k];
    }
    if constexpr (kMerge + 1 < kRun.merges) merge<kMerge + 1>();
  }
};

template <class In, class Results, bool kOfImage, int... kNumbers>
__global__ void __launch_bounds__(kLineThreads)
    merge_lines(const RunArguments a, const RunWeights weights) {
  using Run = RunOf<kNumbers...>;
  constexpr MergeRun kRun = Run::kRun;
  constexpr int kReach = kRun.reach(), kMade = kLine - 2 * kReach, kWidest = kRun.widest();
  constexpr bool kLooksAtFirst = kRun.is_side(0);
  extern __shared__ __align__(16) float memory[];
  // Parts are at the start of memory: they are aligned to two floats
  constexpr int kBuffers = kRun.buffer(kRun.merges, kOfImage);
  MergedPart* const parts = reinterpret_cast<MergedPart*>(memory);
  float* const voxels = memory + 2 * kBuffers * Line<Run, kOfImage>::kPitch;
  Line<Run, kOfImage> line{voxels, parts, weights, {}};

  const LinePiece piece{a, kMade, kReach};
  bring_line<In>(a, piece, kLine, kReach, [&](int i, int k, float voxel) {
    voxels[kWidest + i] = voxel;
    line.own[0][k] = {0, 0};
    if constexpr (!kOfImage) {
      const Count at = piece.row + piece.x + i;
      if (piece.x + i < a.box.columns + kReach)
        line.own[0][k] = {a.from.offset[at], a.from.variance[at]};
      if constexpr (kLooksAtFirst) line.buffer(0)[kWidest + i] = line.own[0][k];
    }
  });
  line.template merge<0>();
  RunResults<Results> results{a};
#pragma unroll
  for (int k = 0; k < kLineEach; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k * kLineThreads;
    if (i < kReach || i >= kReach + kMade || piece.x + i >= a.box.columns) continue;
    const MergedPart& made = line.own[kRun.merges][k];
    const ResultPlace place{a, piece.z, piece.y, piece.x + i};
    results.store({voxels[kWidest + i], made.offset, made.variance}, piece.row + piece.x + i,
                  place.index(), place.is_in_plane() && place.is_in_row() && place.is_in_column());
  }
  results.finish();
}

/// A column in progress, with rings of the elements that merges look back at.
template <class Run, bool kOfImage>
struct Column {
  static constexpr MergeRun kRun = Run::kRun;
  float* voxels;  ///< of the thread; elements are kMarchColumns apart
  MergedPart* parts;
  const RunWeights& weights;
  int voxel_slot = 0;
  int slots[kRun.merges + 1] = {};
  Part newest[kRun.merges + 1];  ///< the last part of each signal
  Part left[kRun.merges], right[kRun.merges], centre[kRun.merges];

  static int slot_back(int slot, int back, int depth) {
    const int at = slot - back;
    return at < 0 ? at + depth : at;
  }

  /// Returns the part of a signal that came `kBack` > 0 elements before the last one.
  template <int kSignal, int kBack>
  [[nodiscard]] Part older() const {
    constexpr int kDepth = kRun.depth(kSignal), kVoxelDepth = kRun.voxel_depth(),
                  kVoxelBack = kBack + kRun.reach(kSignal);
    Part part{voxels[slot_back(voxel_slot, kVoxelBack, kVoxelDepth) * kMarchColumns], 0, 0};
    if constexpr (!(kOfImage && kSignal == 0)) {
      const MergedPart ring =
          parts[(kRun.ring(kSignal, kOfImage) + slot_back(slots[kSignal], kBack, kDepth)) *
                kMarchColumns];
      part.offset = ring.offset;
      part.variance = ring.variance;
    }
    return part;
  }

  template <int kMerge>
  void look_back() {
    constexpr int kSides = kRun.sides[kMerge], kCentre = kRun.centre[kMerge],
                  kSpacing = kRun.spacing[kMerge], kReach = kRun.reach(kMerge + 1);
    constexpr int kLeft = kReach + kSpacing - kRun.reach(kSides),
                  kRight = kReach - kSpacing - kRun.reach(kSides),
                  kMiddle = kReach - kRun.reach(kCentre);
    left[kMerge] = older<kSides, kLeft>();
    if constexpr (kRight > 0) right[kMerge] = older<kSides, kRight>();
    if constexpr (kMiddle > 0) centre[kMerge] = older<kCentre, kMiddle>();
    if constexpr (kMerge + 1 < kRun.merges) look_back<kMerge + 1>();
  }

  template <int kMerge>
  void merge() {
    constexpr int kSides = kRun.sides[kMerge], kCentre = kRun.centre[kMerge];
    constexpr int kReach = kRun.reach(kMerge + 1);
    constexpr bool kRightIsNewest = kReach - kRun.spacing[kMerge] == kRun.reach(kSides),
                   kCentreIsNewest = kReach == kRun.reach(kCentre);
    newest[kMerge + 1] =
        threewise(left[kMerge], kCentreIsNewest ? newest[kCentre] : centre[kMerge],
                  kRightIsNewest ? newest[kSides] : right[kMerge], weights.merges[kMerge]);
    if constexpr (kMerge + 1 < kRun.merges) merge<kMerge + 1>();
  }

  template <int kSignal>
  void keep() {
    if constexpr (kRun.depth(kSignal) > 1 && !(kOfImage && kSignal == 0))
      parts[(kRun.ring(kSignal, kOfImage) + slots[kSignal]) * kMarchColumns] = {
          newest[kSignal].offset, newest[kSignal].variance};
    slots[kSignal] = slots[kSignal] + 1 == kRun.depth(kSignal) ? 0 : slots[kSignal] + 1;
    if constexpr (kSignal + 1 < kRun.merges) keep<kSignal + 1>();
  }

  /// Takes the next element and returns the result for the one that lies the run's reach before it.
  Part take(const Part& came) {
    newest[0] = came;
    look_back<0>();
    merge<0>();
    keep<0>();
    voxels[voxel_slot * kMarchColumns] = came.voxel;
    voxel_slot = voxel_slot + 1 == kRun.voxel_depth() ? 0 : voxel_slot + 1;
    return newest[kRun.merges];
  }
};

template <class In, class Results, bool kOfImage, bool kAlongZ, int... kNumbers>
__global__ void __launch_bounds__(kMarchColumns)
    merge_columns(const RunArguments a, const RunWeights weights) {
  using Run = RunOf<kNumbers...>;
  using Feed = ColumnFeed<In, Results, kOfImage, kAlongZ>;
  constexpr MergeRun kRun = Run::kRun;
  constexpr int kReach = kRun.reach(), kAhead = 4;
  extern __shared__ __align__(16) float memory[];
  constexpr int kRings = kRun.ring(kRun.merges, kOfImage);
  MergedPart* const parts = reinterpret_cast<MergedPart*>(memory);
  float* const voxels = memory + 2 * kRings * kMarchColumns;
  Feed feed{a, kReach, reinterpret_cast<int*>(voxels + kRun.voxel_depth() * kMarchColumns)};
  if (!feed.makes()) return;
  const int column = static_cast<int>(threadIdx.x), steps = feed.steps();
  typename Feed::Came coming[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i)
    if (i < steps) coming[i] = feed.read(i);
  Column<Run, kOfImage> rings{voxels + column, parts + column, weights};
  for (int first = 0; first < steps; first += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int step = first + i;
      if (step >= steps) break;
      const Part came = coming[i].as_part();
      if (step + kAhead < steps) coming[i] = feed.read(step + kAhead);
      const Part made = rings.take(came);
      if (step >= 2 * kReach) feed.store(step - 2 * kReach, made);
    }
  }
  feed.finish();
}

}  // namespace synthoscope::kernels::device
