// SPDX-License-Identifier: MIT
// kernels/device/correlate/volume.cuh — correlation with products of weights along three axes in
// one sweep: planes are loaded one after another, and no volume is stored between the axes.
#pragma once
#include "kernels/device/correlate/correlate_arguments.hpp"
#include "kernels/device/correlate/march.cuh"

namespace synthoscope::kernels::device {

/// The loader of pieces of planes. A warp loads every kWarps-th row.
template <class In, class Shape>
class PieceFeed {
  static constexpr VolumeShape kShape = Shape::kShape;
  static constexpr int kRows = kShape.rows_of_a_warp(), kColumns = kShape.columns_of_a_thread();

 public:
  using Coming = AsRead<In>[kRows][kColumns];

  /// @param steps  shared memory for the indices of all planes
  PieceFeed(const MarchArguments& a, Count along, int count, Count y, Count x, int* steps)
      : steps_{steps}, voxels_{static_cast<const In*>(a.in.voxels)} {
    const Boundary boundary = static_cast<Boundary>(a.boundary);
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    for (int i = warp * 32 + lane; i < count; i += 32 * kShape.warps)
      steps_[i] = static_cast<int>(held_at(boundary, a.out.z - a.centre_z + along + i, a.in.z));
    plane_ = static_cast<int>(a.in.y.size * a.in.x.size);
    for (int r = 0; r < kRows; ++r) {
      const int row = warp + kShape.warps * r;
      // Voxels that no result of the box needs may not be held
      const bool wants = row < kShape.rows() && y + row < a.out.rows + kShape.reach_y - 1;
      const Count at_y = wants ? held_at(boundary, a.out.y - a.centre_y + y + row, a.in.y) : 0;
      for (int c = 0; c < kColumns; ++c) {
        const int column = lane + 32 * c;
        place_[r][c] = 0;
        if (!wants || column >= kShape.width() || x + column >= a.out.columns + kShape.reach_x - 1)
          continue;
        const Count at_x = held_at(boundary, a.out.x - a.centre_x + x + column, a.in.x);
        place_[r][c] =
            at_y == kOutside || at_x == kOutside ? -1 : static_cast<int>(at_y * a.in.x.size + at_x);
        all_there_ = all_there_ && place_[r][c] >= 0;
      }
    }
  }

  /// Begins to read plane number `i`.
  void read(int i, Coming& to) const {
    const int step = steps_[i];
    const In* plane = voxels_ + static_cast<Count>(step) * plane_;
    asm("" : "+l"(plane));  // or the product is computed again for every voxel
    if (step >= 0 && all_there_) {
#pragma unroll
      for (int r = 0; r < kRows; ++r)
#pragma unroll
        for (int c = 0; c < kColumns; ++c) to[r][c] = __ldg(plane + place_[r][c]);
      return;
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int c = 0; c < kColumns; ++c)
        to[r][c] = step >= 0 && place_[r][c] >= 0 ? __ldg(plane + place_[r][c]) : In{};
  }

  void put(const Coming& from, float* piece) const {
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int c = 0; c < kColumns; ++c)
        piece[(warp + kShape.warps * r) * kShape.pitch() + lane + 32 * c] =
            static_cast<float>(from[r][c]);
  }

 private:
  int* steps_;
  const In* voxels_;
  int plane_;                   ///< elements from one to the next
  int place_[kRows][kColumns];  ///< indices in a plane; negative: zero
  bool all_there_ = true;       ///< none is negative
};

template <int kReachY, int kReachX, int kTall, int kWarps>
struct ShapeOf {
  static constexpr VolumeShape kShape{kReachY, kReachX, kTall, kWarps};
};

/// Sums rows: a thread makes eight neighbouring sums of a row.
template <class Shape, int kX>
void sum_rows(const float* piece, float* sums, const VolumeWeights& w) {
  constexpr VolumeShape kShape = Shape::kShape;
  constexpr int kEach = 8, kSets = ceil_div(kEach + kX - 1, 4);
  struct alignas(16) Set {
    float values[4];
  };
  const int lane = static_cast<int>(threadIdx.x);
  // Shared memory serves eight threads together: four sets of a row and four of the next
  const int group = lane % 4 + lane / 8 % 2 * 4, among = lane / 4 % 2 + lane / 16 * 2;
#pragma unroll
  for (int first = 0; first < kShape.rows(); first += 4 * kShape.warps) {
    const int row = first + 4 * static_cast<int>(threadIdx.y) + among;
    if (row >= kShape.rows()) break;
    const Set* const from = reinterpret_cast<const Set*>(piece + row * kShape.pitch()) + 2 * group;
    Set voxels[kSets];
#pragma unroll
    for (int i = 0; i < kSets; ++i) voxels[i] = from[i];
    Set of_row[2] = {};
#pragma unroll
    for (int i = 0; i < kX; ++i)
#pragma unroll
      for (int c = 0; c < kEach; ++c) {
        float& sum = of_row[c / 4].values[c % 4];
        sum = fmaf(w.x[i], voxels[(i + c) / 4].values[(i + c) % 4], sum);
      }
    Set* const to = reinterpret_cast<Set*>(sums + row * kShape.summed_pitch()) + 2 * group;
    to[0] = of_row[0];
    to[1] = of_row[1];
  }
}

/// Correlates along all three axes. A thread holds the sums of kTall rows of one column, of as many
/// results along z as there are weights.
template <class In, class Out, int kZ, int kY, int kX, int kTall, int kWarps, int kBlocks>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    correlate_volume(const MarchArguments a, const VolumeWeights w) {
  using Shape = ShapeOf<kY, kX, kTall, kWarps>;
  constexpr VolumeShape kShape = Shape::kShape;
  constexpr int kPiece = kShape.piece_floats(), kSums = kShape.rows() * kShape.summed_pitch();
  extern __shared__ __align__(16) float memory[];
  float* const pieces = memory;
  float* const sums_of_rows = pieces + 2 * kPiece;
  const Count y = static_cast<Count>(blockIdx.x) / a.strips * kShape.rows_out(),
              x = static_cast<Count>(blockIdx.y) * kVolumeWidth,
              along = static_cast<Count>(blockIdx.x) % a.strips * a.strip;
  const int planes = static_cast<int>(std::min<Count>(a.strip, a.out.planes - along));
  const int steps = planes + kZ - 1;
  const PieceFeed<In, Shape> feed{a, along, steps,
                                  y, x,     reinterpret_cast<int*>(sums_of_rows + 2 * kSums)};
  constexpr int kAcross = kVolumeWidth / 32;
  const int column = static_cast<int>(threadIdx.y) % kAcross * 32 + static_cast<int>(threadIdx.x),
            row = static_cast<int>(threadIdx.y) / kAcross * kTall;
  const int rows_left = x + column < a.out.columns
                            ? static_cast<int>(std::min<Count>(a.out.rows - y, kShape.rows())) - row
                            : 0;
  Out* to = static_cast<Out*>(a.out.voxels) +
            ((along * a.out.rows + y + row) * a.out.columns + x + column);
  const int pitch = static_cast<int>(a.out.columns);
  const Count plane = a.out.rows * a.out.columns;

  typename PieceFeed<In, Shape>::Coming coming;
  float sums[kZ][kTall] = {};
  Storing<Out> storing;
  __syncthreads();
  feed.read(0, coming);
  feed.put(coming, pieces);
  if (steps > 1) feed.read(1, coming);
  __syncthreads();
  // Rows of one plane and columns of the plane before are summed at the same time
  for (int step = 0; step <= steps; ++step) {
    const int here = step % 2, other = 1 - here;
    if (step < steps) sum_rows<Shape, kX>(pieces + here * kPiece, sums_of_rows + here * kSums, w);
    if (step > 0) {
      const float* const from = sums_of_rows + other * kSums + row * kShape.summed_pitch() + column;
      float of_plane[kTall] = {};
#pragma unroll
      for (int i = 0; i < kTall + kY - 1; ++i) {
        const float of_row = from[i * kShape.summed_pitch()];
#pragma unroll
        for (int r = 0; r < kTall; ++r)
          if (i - r >= 0 && i - r < kY) of_plane[r] = fmaf(w.y[i - r], of_row, of_plane[r]);
      }
      add_step(sums, of_plane, w.z);
      if (step >= kZ) {
        Out made[kTall];
        if (rows_left >= kTall) {
          storing.make(sums[0], made);
#pragma unroll
          for (int r = 0; r < kTall; ++r) to[r * pitch] = made[r];
        } else {
#pragma unroll
          for (int r = 0; r < kTall; ++r)
            if (r < rows_left) to[r * pitch] = storing.make(sums[0][r]);
        }
        to += plane;
      }
    }
    if (step + 1 < steps) {
      feed.put(coming, pieces + other * kPiece);
      if (step + 2 < steps) feed.read(step + 2, coming);
    }
    __syncthreads();
  }
  storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
