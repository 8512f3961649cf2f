// SPDX-License-Identifier: MIT
// kernels/device/resample/resample.cuh — looks an image up at the coordinates of an affine map,
// voxel by voxel: a thread makes several voxels and finds each of them separately.
#pragma once
#include "kernels/device/resample/lookup_anywhere.cuh"

namespace synthoscope::kernels::device {

/// The results of a thread: `rows` rows, `tall` apart, with `columns` voxels each.
template <class Out>
struct LookupStrip {
  double z, y, x;  ///< position in the result of the first voxel
  int rows, tall;  ///< number of rows, and the distance from one to the next
  int columns;     ///< that exist: all that a thread makes, or fewer
  Out* out;
  Count pitch;  ///< of `out`, from a row of the strip to the next
};

/// Returns the strip of a thread. Blocks make tiles along x, then along y, then along z.
template <class Out, int kWide, int kColumns>
LookupStrip<Out> lookup_strip(const ResampleArguments& a) {
  constexpr int kTall = 32 / kWide;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const unsigned across = static_cast<unsigned>(a.tiles_x), down = static_cast<unsigned>(a.tiles_y);
  const Count plane = blockIdx.x / across / down;
  const Count tile_y = blockIdx.x / across % down, tile_x = blockIdx.x % across;
  const Count x = tile_x * (kWide * kColumns) + lane % kWide;
  const Count y = (tile_y * kLookupWarps + warp) * (kTall * a.rows_each) + lane / kWide;
  LookupStrip<Out> s;
  s.z = static_cast<double>(a.out.z + plane);
  s.y = static_cast<double>(a.out.y + y);
  s.x = static_cast<double>(a.out.x + x);
  s.tall = kTall;
  const Count rows = (a.out.rows - y + kTall - 1) / kTall;
  const Count columns = (a.out.columns - x + kWide - 1) / kWide;
  s.rows = static_cast<int>(std::clamp<Count>(rows, 0, a.rows_each));
  s.columns = static_cast<int>(std::clamp<Count>(columns, 0, kColumns));
  s.out = static_cast<Out*>(a.out.voxels) + (plane * a.out.rows + y) * a.out.columns + x;
  s.pitch = kTall * a.out.columns;
  return s;
}

/// Makes the voxels of a strip whose bit, row * kColumns + column, is set.
template <class In, class Out, class Taps, int kInZ, int kInY, int kWide, int kColumns>
void look_up_anywhere(const ResampleArguments& a, const LookupStrip<Out>& s, unsigned voxels,
                      StoredLookup<In, Out, Taps>& stored) {
  for (; voxels != 0; voxels &= voxels - 1) {
    const int number = __ffs(static_cast<int>(voxels)) - 1;
    const int row = number / kColumns, k = number % kColumns;
    const double y = s.y + row * s.tall, x = s.x + k * kWide;
    const auto at = [&](const LookupAxis& axis) {
      return coordinate(axis, row_part(axis, s.z, y), x * axis.a[2]);
    };
    s.out[row * s.pitch + k * kWide] =
        stored.template anywhere<kInZ, kInY>(a, at(a.z), at(a.y), at(a.x));
  }
}

/// Makes the voxels of a strip except those near faces. @returns the bits of the latter, for
/// look_up_anywhere: calls in this loop would take registers.
/// @param axis_z, axis_y, axis_x  of the arguments, or of a copy of a part of what is held
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, class Voxels>
unsigned look_up_strip(const ResampleArguments& a, const LookupAxis& axis_z,
                       const LookupAxis& axis_y, const LookupAxis& axis_x,
                       const LookupStrip<Out>& s, const Voxels& voxels,
                       StoredLookup<In, Out, Taps>& stored) {
  const ColumnParts<kAlongZ, kColumns> columns_z{axis_z, s.x, kWide};
  const ColumnParts<kAlongY, kColumns> columns_y{axis_y, s.x, kWide};
  const ColumnParts<Along::columns, kColumns> columns_x{axis_x, s.x, kWide};
  FoundColumns<Taps, kInZ, kAlongZ, kColumns> z;
  FoundColumns<Taps, kInY, kAlongY, kColumns> y;
  FoundColumns<Taps, Taps::kTaps, Along::columns, kColumns> x;
  if constexpr (kAlongZ == Along::planes) z.find(axis_z, row_part(axis_z, s.z, s.y), columns_z);
  const auto value = [&](int k, const auto& of_plane) {
    const auto in_plane = kAlongZ == Along::columns ? voxels.of_plane(z[k]) : of_plane;
    return voxels.template value<Taps, kInZ, kInY>(in_plane, z[k], y[k], x[k]);
  };
  unsigned beside = 0;
  Out* to = s.out;
  double at_y = s.y;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    if constexpr (kAlongZ != Along::planes) z.find(axis_z, row_part(axis_z, s.z, at_y), columns_z);
    y.find(axis_y, row_part(axis_y, s.z, at_y), columns_y);
    x.find(axis_x, row_part(axis_x, s.z, at_y), columns_x);
    typename StoredLookup<In, Out, Taps>::Made made[kColumns];
    const bool are_safe =
        s.columns == kColumns && z.are_safe(axis_z) && y.are_safe(axis_y) && x.are_safe(axis_x);
    if (__all_sync(__activemask(), are_safe)) {
      const auto of_plane = voxels.of_plane(z[0]);
#pragma unroll
      for (int k = 0; k < kColumns; ++k) made[k] = value(k, of_plane);
      stored.template to_columns<kColumns>(made, to, kWide);
    } else {
      // If one is safe, so is index 0: voxels that are not safe are looked up there and not stored
      bool is_safe[kColumns], is_any_safe = false;
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        is_safe[k] = k < s.columns && z[k].at < axis_z.safe && y[k].at < axis_y.safe &&
                     x[k].at < axis_x.safe;
        is_any_safe = is_any_safe || is_safe[k];
      }
      if (is_any_safe) {
#pragma unroll
        for (int k = 0; k < kColumns; ++k) {
          const auto found = [&](const FoundTap& tap) {
            return FoundTap{is_safe[k] ? tap.at : 0, tap.t};
          };
          const FoundTap in_z = found(z[k]);
          made[k] = voxels.template value<Taps, kInZ, kInY>(voxels.of_plane(in_z), in_z,
                                                            found(y[k]), found(x[k]));
        }
      }
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        if (k >= s.columns) break;
        if (is_safe[k])
          to[k * kWide] = stored.of(made[k]);
        else if (is_filled(a, coordinate(axis_z, row_part(axis_z, s.z, at_y), columns_z.part(k)),
                           coordinate(axis_y, row_part(axis_y, s.z, at_y), columns_y.part(k)),
                           coordinate(axis_x, row_part(axis_x, s.z, at_y), columns_x.part(k))))
          to[k * kWide] = stored.filled(a);
        else
          beside |= 1U << (row * kColumns + k);
      }
    }
    at_y += s.tall;
    to += s.pitch;
  }
  return beside;
}

template <class In>
LookupVoxels<In, false> held_lookup(const ResampleArguments& a) {
  return {static_cast<const In*>(a.first), a.plane, a.row};
}

/// Makes all results voxel by voxel.
/// @tparam kInZ, kInY        voxels that count along z and y: 1 if coordinates are whole
/// @tparam kAlongZ, kAlongY  what coordinates along z and y depend on
/// @tparam kWide, kColumns   LookupShape
/// @tparam kBlocks           blocks that share a multiprocessor, at least
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_pixel(const __grid_constant__ ResampleArguments a) {
  const LookupStrip<Out> strip = lookup_strip<Out, kWide, kColumns>(a);
  StoredLookup<In, Out, Taps> stored;
  const unsigned beside =
      look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
          a, a.z, a.y, a.x, strip, held_lookup<In>(a), stored);
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide, kColumns>(a, strip, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
