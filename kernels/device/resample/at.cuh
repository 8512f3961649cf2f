// SPDX-License-Identifier: MIT
// kernels/device/resample/at.cuh — a plane of a result looked up at coordinates that lie in memory.
#pragma once
#include "kernels/device/resample/resample.cuh"

namespace synthoscope::kernels::device {

/// As resample_pixel, with the coordinates along y and x read from memory.
template <class In, class Out, class Taps, int kInZ, int kInY, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_at(const __grid_constant__ ResampleAtArguments at) {
  constexpr int kWide = 32;
  const ResampleArguments& a = at.lookup;
  const LookupStrip<Out> s = lookup_strip<Out, kWide, kColumns>(a);
  const LookupVoxels<In, false> voxels = held_lookup<In>(a);
  const double in_z = coordinate(a.z, row_part(a.z, s.z, s.y), 0);
  const FoundTap z = found_tap<Taps, kInZ>(a.z, in_z);
  // The y of voxel (row, k) of the strip is row * at.line + 32 k elements after this
  const double* const first = at.coordinates +
                              static_cast<Count>(s.y - static_cast<double>(a.out.y)) * at.line +
                              static_cast<Count>(s.x - static_cast<double>(a.out.x));
  const In* const of_plane = voxels.of_plane(z);
  StoredLookup<In, Out, Taps> stored;
  unsigned beside = 0;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    const double* const from = first + row * at.line;
    bool are_safe = s.columns == kColumns && z.at < a.z.safe;
    FoundTap y[kColumns], x[kColumns];
    if (are_safe) {
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        y[k] = found_tap<Taps, kInY>(a.y, from[k * kWide]);
        x[k] = found_tap<Taps, Taps::kTaps>(a.x, from[at.axis + k * kWide]);
        are_safe = are_safe && y[k].at < a.y.safe && x[k].at < a.x.safe;
      }
    }
    if (are_safe) {
      typename StoredLookup<In, Out, Taps>::Made made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k)
        made[k] = voxels.template value<Taps, kInZ, kInY>(of_plane, z, y[k], x[k]);
      stored.template to_columns<kColumns>(made, s.out + row * s.pitch, kWide);
    } else {
      beside |= 1U << row;
    }
  }
  for (; beside != 0; beside &= beside - 1) {
    const int row = __ffs(static_cast<int>(beside)) - 1;
    const double* const from = first + row * at.line;
    for (int k = 0; k < s.columns; ++k)
      s.out[row * s.pitch + k * kWide] =
          stored.template anywhere<kInZ, kInY>(a, in_z, from[k * kWide], from[at.axis + k * kWide]);
  }
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
