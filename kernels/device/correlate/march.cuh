// SPDX-License-Identifier: MIT
// kernels/device/correlate/march.cuh — what kernels that slide along an axis share: every step
// loads a row, or a piece of a plane, into shared memory, and may complete a row of results.
#pragma once
#include <algorithm>
#include <cstdint>
#include "kernels/device/code/packed_voxels.cuh"
#include "kernels/device/code/window.cuh"
#include "kernels/device/correlate/correlate_arguments.hpp"

namespace synthoscope::kernels::device {

/// The shape of a sliding kernel. A warp makes results of 32 kColumns voxels of a row. Either each
/// warp slides separately (alone), or all warps of a block slide along z, a row each, and share the
/// piece of a plane that they load.
/// @tparam kReach   weights along the axis
/// @tparam kCross   weights along y, of warps that share
/// @tparam kReachX  weights along x
template <March kAxisOf, bool kIsAlone, int kReachOf, int kCross, int kReachX, int kColumnsOf,
          int kWarps>
struct MarchShape {
  static constexpr March kAxis = kAxisOf;
  static constexpr bool kAlone = kIsAlone;
  static_assert(kAlone ? kCross == 1 : kAxis == March::along_z);
  static constexpr int kReach = kReachOf, kBehindY = kCross - 1, kBehindX = kReachX - 1;
  static constexpr int kColumns = kColumnsOf;
  static constexpr int kRowsOut = kAlone ? 1 : kWarps;
  static constexpr int kRows = kAlone ? 1 : kWarps + kBehindY;
  static constexpr int kWidthOut = 32 * kColumns;
  static constexpr int kWidth = kWidthOut + kBehindX;
  /// Aligned: threads read as many voxels at once as they make
  static constexpr int kPitch = ceil_div(kWidth, 4) * 4 + 4;
  static constexpr int kThreads = kAlone ? 32 : 32 * kWarps;
  static constexpr int kEach = ceil_div(kRows * kWidth, kThreads);  ///< that a thread loads
  static constexpr int kTiles = kAlone ? kWarps : 1;
  static constexpr int kTile = kRows * kPitch;
};

/// Position of a window.
struct Standing {
  int tile;                ///< of the block: the warp, or 0
  Count along, along_end;  ///< results along the axis, in the box
  Count plane_or_row;      ///< along the other axis, in the box
  Count x;                 ///< of the tile's first result, in the box
  bool makes;              ///< false outside the box
};

template <class Shape>
Standing standing(const MarchArguments& a) {
  Standing s;
  const int warp = static_cast<int>(threadIdx.y);
  constexpr bool kAlongY = Shape::kAxis == March::along_y;
  const Count box_along = kAlongY ? a.out.rows : a.out.planes;
  Count strip;
  if constexpr (Shape::kAlone) {
    const Count unit =
        static_cast<Count>(blockIdx.x) * (static_cast<int>(blockDim.y) / a.side) + warp / a.side;
    s.x = (static_cast<Count>(blockIdx.y) * a.side + warp % a.side) * Shape::kWidthOut;
    s.plane_or_row = unit / a.strips;
    strip = unit % a.strips;
    s.makes = s.plane_or_row < (kAlongY ? a.out.planes : a.out.rows);
    s.makes = s.makes && s.x < a.out.columns;
    s.tile = warp;
  } else {
    s.plane_or_row = static_cast<Count>(blockIdx.x) / a.strips * Shape::kRowsOut + warp;
    strip = static_cast<Count>(blockIdx.x) % a.strips;
    s.makes = s.plane_or_row < a.out.rows;
    s.x = static_cast<Count>(blockIdx.y) * Shape::kWidthOut;
    s.tile = 0;
  }
  s.along = strip * a.strip;
  s.along_end = std::min(s.along + a.strip, box_along);
  return s;
}

/// What a thread is loading: kEach voxels of a step, as they lie in memory.
template <class In, class Shape>
struct Coming {
  /// A thread reads its kColumns voxels at once, and those after the warp's singly
  static constexpr bool kPacked =
      Shape::kAlone && Shape::kColumns == kPackedVoxels && sizeof(In) < sizeof(float);
  static constexpr int kSingle = kPacked ? Shape::kEach - kPackedVoxels : Shape::kEach;
  PackedVoxels<In, kPacked> packed;
  AsRead<In> single[kSingle > 0 ? kSingle : 1];

  /// Returns the column of a thread's voxel number `k`, if warps are alone.
  static int column(int thread, int k) {
    if (kPacked && k < kPackedVoxels) return kPackedVoxels * thread + k;
    return thread + k * Shape::kThreads;
  }
};

/// The loader of voxels, step by step.
template <class In, class Shape>
class Feed {
 public:
  using Carried = Coming<In, Shape>;
  /// With the other type, NVRTC 13 keeps 15 x 15 weights in registers, and has to move them
  using Apart = ChosenType<(sizeof(In) < sizeof(float)), int, Count>;

  /// @param steps  shared memory for the indices of all steps of a tile
  Feed(const MarchArguments& a, const Standing& s, int* steps)
      : thread_{Shape::kAlone ? static_cast<int>(threadIdx.x)
                              : static_cast<int>(threadIdx.y * 32 + threadIdx.x)},
        steps_{steps} {
    const Boundary boundary = static_cast<Boundary>(a.boundary);
    constexpr bool kAlongY = Shape::kAxis == March::along_y;
    const Count y = a.out.y - a.centre_y, z = a.out.z - a.centre_z, x = a.out.x - a.centre_x;
    const HeldAxis& axis = kAlongY ? a.in.y : a.in.z;
    const Count first = (kAlongY ? y : z) + s.along;
    const int count = static_cast<int>(s.along_end - s.along) + Shape::kReach - 1;
    const Count plane = a.in.y.size * a.in.x.size;
    apart_ = static_cast<Apart>(kAlongY ? a.in.x.size : plane);
    voxels_ = static_cast<const In*>(a.in.voxels);
    bool is_there = true;
    if constexpr (Shape::kAlone) {
      const Count other = kAlongY ? held_at(boundary, z + s.plane_or_row, a.in.z)
                                  : held_at(boundary, y + s.plane_or_row, a.in.y);
      is_there = other != kOutside;
      if (is_there) voxels_ += other * (kAlongY ? plane : a.in.x.size);
    }
    for (int i = thread_; i < count; i += Shape::kThreads)
      steps_[i] = is_there ? static_cast<int>(held_at(boundary, first + i, axis)) : -1;
    for (int k = 0; k < Shape::kEach; ++k) {
      const int at = Carried::column(thread_, k), row = at / Shape::kWidth,
                column = at % Shape::kWidth;
      place_[k] = -1;
      if (row >= Shape::kRows) continue;
      // Voxels that no result of the box needs may not be held
      if (s.x + column >= a.out.columns + Shape::kBehindX) continue;
      const Count at_x = held_at(boundary, x + s.x + column, a.in.x);
      if (at_x == kOutside) continue;
      if constexpr (Shape::kAlone) {
        place_[k] = static_cast<int>(at_x);
      } else {
        const Count row_out = s.plane_or_row - static_cast<int>(threadIdx.y) + row;
        if (row_out >= a.out.rows + Shape::kBehindY) continue;
        const Count at_y = held_at(boundary, y + row_out, a.in.y);
        if (at_y != kOutside) place_[k] = static_cast<int>(at_y * a.in.x.size + at_x);
      }
    }
    const Count first_x = x + s.x, past_x = first_x + std::max(Shape::kEach * 32, kBeforeEnd);
    is_inside_ =
        Shape::kRows == 1 && first_x >= a.in.x.origin && past_x <= a.in.x.origin + a.in.x.size;
    if constexpr (Carried::kPacked) is_inside_ = is_inside_ && begins_a_word(a.in.voxels);
    if (is_inside_) voxels_ += place_[0];
  }

  /// Begins to read the voxels of step `i`.
  void read(int i, Carried& to) const {
    const int step = steps_[i];
    const In* const from = voxels_ + static_cast<Count>(step) * apart_;
    constexpr int kFirst = Shape::kEach - Carried::kSingle;  // of the voxels that are read singly
    if (Shape::kRows == 1 && is_inside_ && step >= 0) {
      // Neighbours: one address for all of them
      if constexpr (Carried::kPacked) to.packed.read(from);
      const In* const neighbours =
          from + Carried::column(thread_, kFirst) - Carried::column(thread_, 0);
#pragma unroll
      for (int k = 0; k < Carried::kSingle; ++k) to.single[k] = neighbours[32 * k];
      return;
    }
    const bool there = step >= 0 && !is_inside_;
    // In the type of the load: a conversion would wait for the voxel
    const auto read_one = [&](int k) {
      AsRead<In> voxel = 0;
      if (there && place_[k] >= 0) voxel = from[place_[k]];
      return voxel;
    };
    if constexpr (Carried::kPacked) to.packed.read_each(read_one);
#pragma unroll
    for (int k = 0; k < Carried::kSingle; ++k) to.single[k] = read_one(kFirst + k);
  }

  /// Writes a step's voxels into a tile.
  void put(const Carried& from, float* tile) const {
    constexpr int kFirst = Shape::kEach - Carried::kSingle;
    if constexpr (Carried::kPacked) from.packed.put(tile + kPackedVoxels * thread_);
#pragma unroll
    for (int k = 0; k < Carried::kSingle; ++k) {
      const int at = Carried::column(thread_, kFirst + k);
      const float voxel = static_cast<float>(from.single[k]);
      if constexpr (Shape::kRows == 1) {
        if (at < Shape::kWidth) tile[at] = voxel;
      } else {
        const int row = at / Shape::kWidth;
        if (row < Shape::kRows) tile[row * Shape::kPitch + at % Shape::kWidth] = voxel;
      }
    }
  }

  /// Writes them into registers: `to[k]` is the voxel of column(thread, k).
  void put_here(const Carried& from, float (&to)[Shape::kEach]) const {
    constexpr int kFirst = Shape::kEach - Carried::kSingle;
    if constexpr (Carried::kPacked) from.packed.put(to);
#pragma unroll
    for (int k = 0; k < Carried::kSingle; ++k) to[kFirst + k] = static_cast<float>(from.single[k]);
  }

  static void meet() {
    if constexpr (Shape::kAlone)
      __syncwarp();
    else
      __syncthreads();
  }

 private:
  /// Voxels from the start of a warp's row to the end of its packed words.
  static constexpr int kBeforeEnd =
      Carried::kPacked ? 32 * kPackedVoxels + static_cast<int>(sizeof(unsigned) / sizeof(In)) : 0;

  int thread_;
  int* steps_;
  int place_[Shape::kEach];  ///< indices of a step's voxels; negative: zero
  const In* voxels_;
  Apart apart_;     ///< elements from one step to the next
  bool is_inside_;  ///< all columns that the warp reads are held; `voxels_` then points to the
                    ///< thread's first
};

/// Calls `body(step, voxels)` for every step with its voxels: in one of two tiles, or in registers
/// if kTile is false. The next kAhead steps are loaded meanwhile.
template <int kAhead, bool kTile, class In, class Shape, class Body>
void march(const Feed<In, Shape>& feed, int steps, float* tiles, Body&& body) {
  Coming<In, Shape> coming[kAhead];
  Feed<In, Shape>::meet();
#pragma unroll
  for (int i = 0; i < kAhead; ++i)
    if (i < steps) feed.read(i, coming[i]);
  for (int first = 0; first < steps; first += kAhead) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int step = first + i;
      if (step >= steps) break;
      if constexpr (kTile) {
        float* const tile = tiles + step % 2 * Shape::kTile;
        feed.put(coming[i], tile);
        Feed<In, Shape>::meet();
        if (step + kAhead < steps) feed.read(step + kAhead, coming[i]);
        body(step, tile);
      } else {
        float came[Shape::kEach];
        feed.put_here(coming[i], came);
        if (step + kAhead < steps) feed.read(step + kAhead, coming[i]);
        body(step, came);
      }
    }
  }
}

/// Adds a step's values to the sums of the results that they belong to; sums[0] is then complete.
template <int kReach, int kColumns, int kMax>
void add_step(float (&sums)[kReach][kColumns], const float (&brought)[kColumns],
              const float (&weights)[kMax]) {
#pragma unroll
  for (int r = 0; r < kReach; ++r)
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      sums[r][c] =
          fmaf(weights[kReach - 1 - r], brought[c], r + 1 < kReach ? sums[r + 1][c] : 0.0F);
}

/// The rows of results of a thread, one after another.
template <class Out, class Shape>
class ResultRows {
 public:
  ResultRows(const MarchArguments& a, const Standing& s) {
    constexpr bool kAlongY = Shape::kAxis == March::along_y;
    const Count z = kAlongY ? s.plane_or_row : s.along, y = kAlongY ? s.along : s.plane_or_row;
    row_ = static_cast<Out*>(a.out.voxels) + (z * a.out.rows + y) * a.out.columns + s.x;
    apart_ = kAlongY ? a.out.columns : a.out.rows * a.out.columns;
    columns_ = static_cast<int>(std::min<Count>(a.out.columns - s.x, Shape::kWidthOut));
    is_aligned_ = a.out.columns % Shape::kColumns == 0;
  }

  /// Stores kColumns neighbouring results of each thread.
  void store(const float (&values)[Shape::kColumns], Storing<Out>& storing) {
    store_columns(storing, values, row_, columns_, is_aligned_);
    row_ += apart_;
  }
  /// Stores results that are 32 voxels apart.
  void store_apart(const float (&values)[Shape::kColumns], Storing<Out>& storing) {
#pragma unroll
    for (int c = 0; c < Shape::kColumns; ++c) {
      const int x = static_cast<int>(threadIdx.x) + 32 * c;
      if (x < columns_) row_[x] = storing.make(values[c]);
    }
    row_ += apart_;
  }

 private:
  Out* row_;
  Count apart_;
  int columns_;      ///< of the box, from the tile's first on
  bool is_aligned_;  ///< every row begins where kColumns voxels may be written at once
};

/// The kCount voxels of a tile's row from the thread's first result on.
template <int kColumns, int kCount>
struct Neighbours {
  static constexpr int kSets = ceil_div(kCount, kColumns);
  struct alignas(4 * kColumns) Set {
    float values[kColumns];
  };
  Set sets[kSets];

  explicit Neighbours(const float* row) {
    const Set* const from = reinterpret_cast<const Set*>(row) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kSets; ++i) sets[i] = from[i];
  }
  float operator[](int i) const {
    return sets[i / kColumns].values[i % kColumns];
  }
};

}  // namespace synthoscope::kernels::device
