// SPDX-License-Identifier: MIT
// kernels/device/variance/variance.cuh — local statistics: one merge a launch for any window, and
// all scales of triangles in one sweep. The merges are the code of kernels/body/threewise.hpp.
#pragma once
#include "kernels/device/variance/variance_arguments.hpp"
#include "kernels/device/variance/window_results.cuh"

namespace synthoscope::kernels::device {

/// Returns the index of the element that a thread works on, or -1.
inline Count element_of(const PartsBox& box, Count& z, Count& y, Count& x) {
  const Count blocks = (box.rows + kPartsY - 1) / kPartsY;  // along y
  x = static_cast<Count>(blockIdx.y) * kPartsX + threadIdx.x;
  y = blockIdx.x % blocks * kPartsY + threadIdx.y;
  z = blockIdx.x / blocks;
  if (x >= box.columns || y >= box.rows) return -1;
  return (box.z + z) * box.plane + (box.y + y) * box.row + (box.x + x);
}

inline Part part_at(const float* voxels, const PartsSignal& signal, Count i) {
  if (!signal.offset) return {voxels[i], 0, 0};
  return {voxels[i], signal.offset[i], signal.variance[i]};
}

template <class In>
__global__ void __launch_bounds__(kPartsX* kPartsY) bring_voxels(const VoxelsArguments a) {
  Count z, y, x;
  const Count i = element_of(a.box, z, y, x);
  if (i < 0) return;
  a.voxels[i] = voxel_at<In>(a.in, static_cast<Boundary>(a.boundary), a.z + z, a.y + y, a.x + x);
}

__global__ void __launch_bounds__(kPartsX* kPartsY) merge_parts(const MergeArguments a) {
  Count z, y, x;
  const Count i = element_of(a.box, z, y, x);
  if (i < 0) return;
  const Part centre = part_at(a.voxels, a.centre, i);
  Part made;
  if (a.taps == 0) {
    made = threewise(part_at(a.voxels, a.sides, i - a.apart), centre,
                     part_at(a.voxels, a.sides, i + a.apart), a.weights);
  } else {
    PairSums<float> sums;
    for (int tap = 1; tap < a.taps; ++tap)
      add_pair(centre, part_at(a.voxels, a.sides, i - tap * a.apart),
               part_at(a.voxels, a.sides, i + tap * a.apart), a.tap_weights[tap], sums);
    made = joined(centre, a.tap_weights[0], sums);
  }
  a.made.offset[i] = made.offset;
  a.made.variance[i] = made.variance;
}

template <class Results>
__global__ void __launch_bounds__(kPartsX* kPartsY) finish_window(const FinishArguments a) {
  Count z, y, x;
  const Count i = element_of(a.box, z, y, x);
  if (i < 0) return;
  Results results;
  results.store(a.window, (z * a.box.rows + y) * a.box.columns + x, part_at(a.voxels, a.parts, i));
  results.finish(a.counts);
}

/// Returns the slot in a ring of the row that came `back` rows before the one in `slot`.
inline int slot_before(int slot, int back, int depth) {
  const int before = slot - back;
  return before < 0 ? before + depth : before;
}

/// Offset and variance side by side: one access to shared memory.
struct __align__(8) SweepPart {
  float offset, variance;
};

/// Makes all scales. blockIdx.x counts bands and planes, blockIdx.y strips. Merges reach into the
/// columns on either side of the results. At the ends of the columns and rows that a block loaded,
/// merges make numbers that no result depends on.
template <class In, class Results, int kScales>
__global__ void __launch_bounds__(kSweepColumns* kSweepRows) sweep_scales(const SweepArguments a) {
  constexpr int kReach = sweep_reach(kScales), kVoxelRows = kept_voxel_rows(kScales);
  constexpr int kMade = kSweepColumns - 2 * kReach;
  extern __shared__ __align__(16) float memory[];
  float* const voxels = memory;
  SweepPart* const last = reinterpret_cast<SweepPart*>(voxels + kVoxelRows * kSweepColumns);
  SweepPart* const rings = last + kSweepRows * kSweepColumns;

  const int column = threadIdx.x, row = threadIdx.y;
  const Count bands = (a.rows + a.band - 1) / a.band;
  const Count plane = blockIdx.x / bands, first = blockIdx.x % bands * a.band;
  const Count x = static_cast<Count>(blockIdx.y) * kMade + column - kReach;
  const int rows = static_cast<int>(a.rows - first < a.band ? a.rows - first : a.band);
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  const bool makes = column >= kReach && column < kSweepColumns - kReach && x < a.columns;
  // Voxels that no result of the box needs may not be held
  const Count at_x = x < a.columns + kReach ? held_at(boundary, a.x + x, a.in.x) : kOutside;
  const Count at_z = held_at(boundary, a.z + plane, a.in.z);
  const In* const from = static_cast<const In*>(a.in.voxels) + at_z * a.in.y.size * a.in.x.size;
  const ThreeWeights weights = three_weights(0.25);

  int slots[kScales], voxel_slot = row;
#pragma unroll
  for (int scale = 0; scale < kScales; ++scale) slots[scale] = row;
  Results results;
  for (int came = row; came - row < rows + 2 * kReach; came += kSweepRows) {
    // Load rows
    const Count at_y = came < rows + 2 * kReach
                           ? held_at(boundary, a.y + first + came - kReach, a.in.y)
                           : kOutside;
    const bool there = at_x != kOutside && at_y != kOutside && at_z != kOutside;
    voxels[voxel_slot * kSweepColumns + column] =
        there ? static_cast<float>(from[at_y * a.in.x.size + at_x]) : 0.0F;
    __syncthreads();
    SweepPart own{0, 0};
    SweepPart* ring = rings;
#pragma unroll
    for (int scale = 0; scale < kScales; ++scale) {
      // The scale before lags by all spacings so far
      const int spacing = 1 << scale, behind = spacing - 1;
      const int depth = kept_merged_rows(scale);
      // Along x
      {
        const float* const v = voxels + slot_before(voxel_slot, behind, kVoxelRows) * kSweepColumns;
        const SweepPart* const parts = last + row * kSweepColumns;
        const int l = column >= spacing ? column - spacing : 0;
        const int r = column + spacing < kSweepColumns ? column + spacing : column;
        SweepPart left{0, 0}, right{0, 0};
        if (scale > 0) {
          left = parts[l];
          right = parts[r];
        }
        const Part made =
            threewise({v[l], left.offset, left.variance}, {v[column], own.offset, own.variance},
                      {v[r], right.offset, right.variance}, weights);
        ring[slots[scale] * kSweepColumns + column] = {made.offset, made.variance};
      }
      __syncthreads();
      // Along y, around the row `spacing` rows before
      {
        const auto at = [&](int back) {
          const SweepPart part =
              ring[slot_before(slots[scale], back, depth) * kSweepColumns + column];
          const float voxel =
              voxels[slot_before(voxel_slot, behind + back, kVoxelRows) * kSweepColumns + column];
          return Part{voxel, part.offset, part.variance};
        };
        const Part made = threewise(at(2 * spacing), at(spacing), at(0), weights);
        own = {made.offset, made.variance};
        last[row * kSweepColumns + column] = own;
        const int y = came - kReach - (2 * spacing - 1);
        if (makes && y >= 0 && y < rows)
          results.store(a.windows[scale], (plane * a.rows + first + y) * a.columns + x, made);
      }
      __syncthreads();
      slots[scale] += kSweepRows;
      if (slots[scale] >= depth) slots[scale] -= depth;
      ring += depth * kSweepColumns;
    }
    voxel_slot += kSweepRows;
    if (voxel_slot >= kVoxelRows) voxel_slot -= kVoxelRows;
  }
  results.finish(a.counts);
}

}  // namespace synthoscope::kernels::device
