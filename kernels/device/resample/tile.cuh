// SPDX-License-Identifier: MIT
// kernels/device/resample/tile.cuh — an image looked up by blocks that first copy the voxels around
// their tile of the result into shared memory.
#pragma once
#include "kernels/device/resample/resample.cuh"

namespace synthoscope::kernels::device {

/// The part of an axis that a tile of the result needs.
struct TileSpan {
  int first, size;  ///< counted from the first safe voxel; size 0 if not all of it is safe
};

/// Returns the span from the corners of the tile, one a lane: rounding keeps the order of
/// coordinates.
template <class Taps, int kIn>
TileSpan tile_span(const LookupAxis& axis, double z, double y, double x) {
  const unsigned at =
      found_tap<Taps, kIn>(axis, coordinate(axis, row_part(axis, z, y), x * axis.a[2])).at;
  unsigned low = at, high = at;
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) {
    low = std::min(low, __shfl_xor_sync(~0U, low, apart));
    high = std::max(high, __shfl_xor_sync(~0U, high, apart));
  }
  if (high >= axis.safe) return {0, 0};
  return {static_cast<int>(low), static_cast<int>(high - low) + kIn};
}

/// Returns the axis for a copy that begins span.first after the first safe voxel.
inline LookupAxis axis_of_copy(LookupAxis axis, const TileSpan& span, int taps) {
  axis.rounder -= span.first;
  axis.safe = static_cast<unsigned>(span.size - taps + 1);
  return axis;
}

/// As resample_pixel. Tiles that do not fit into `kRoom` elements of shared memory, and those at
/// faces, are made as there.
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, int kBlocks, int kRoom>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_tile(const __grid_constant__ ResampleArguments a) {
  using Value = typename StoredLookup<In, Out, Taps>::Made;
  constexpr int kInX = Taps::kTaps;
  __shared__ Value copy[kRoom];
  __shared__ TileSpan spans[3];
  const LookupStrip<Out> s = lookup_strip<Out, kWide, kColumns>(a);
  if (threadIdx.y == 0) {
    // The first and the last voxel of the tile along each axis
    const int corner = threadIdx.x;
    const Count columns = kWide * kColumns, rows = kLookupWarps * (32 / kWide) * a.rows_each;
    const Count tile_x = static_cast<Count>(blockIdx.x % static_cast<unsigned>(a.tiles_x)),
                tile_y = static_cast<Count>(blockIdx.x / static_cast<unsigned>(a.tiles_x) %
                                            static_cast<unsigned>(a.tiles_y));
    const Count x =
        corner & 1 ? std::min<Count>((tile_x + 1) * columns, a.out.columns) - 1 : tile_x * columns;
    const Count y =
        corner & 2 ? std::min<Count>((tile_y + 1) * rows, a.out.rows) - 1 : tile_y * rows;
    const double at_y = static_cast<double>(a.out.y + y), at_x = static_cast<double>(a.out.x + x);
    const TileSpan z = tile_span<Taps, kInZ>(a.z, s.z, at_y, at_x),
                   in_y = tile_span<Taps, kInY>(a.y, s.z, at_y, at_x),
                   in_x = tile_span<Taps, kInX>(a.x, s.z, at_y, at_x);
    if (corner == 0) {
      spans[0] = z;
      spans[1] = in_y;
      spans[2] = in_x;
    }
  }
  __syncthreads();
  const TileSpan z = spans[0], y = spans[1], x = spans[2];
  const Count needed = static_cast<Count>(z.size) * y.size * x.size;
  StoredLookup<In, Out, Taps> stored;
  const LookupVoxels<In, false> held = held_lookup<In>(a);
  unsigned beside = 0;
  if (needed > 0 && needed <= kRoom) {
    const In* const from =
        held.first + z.first * held.plane + static_cast<Count>(y.first) * held.row + x.first;
    const int rows = z.size * y.size;
    for (int row = threadIdx.y; row < rows; row += kLookupWarps) {
      const In* const of_row =
          from + row / y.size * held.plane + static_cast<Count>(row % y.size) * held.row;
      for (int i = threadIdx.x; i < x.size; i += 32)
        copy[row * x.size + i] = static_cast<Value>(__ldg(of_row + i));
    }
    __syncthreads();
    const LookupVoxels<Value, true> voxels{copy, static_cast<Count>(y.size) * x.size, x.size};
    beside = look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
        a, axis_of_copy(a.z, z, kInZ), axis_of_copy(a.y, y, kInY), axis_of_copy(a.x, x, kInX), s,
        voxels, stored);
  } else {
    beside = look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
        a, a.z, a.y, a.x, s, held, stored);
  }
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide, kColumns>(a, s, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
