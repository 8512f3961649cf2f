// SPDX-License-Identifier: MIT
// kernels/device/resample/column.cuh — looks up an image whose axes are scaled and shifted
// separately: a thread finds its columns once, and reads each row of the image once on its way
// down.
#pragma once
#include "kernels/device/resample/resample.cuh"

namespace synthoscope::kernels::device {

/// The last kInY rows of the image that results needed, summed along z, at the columns of a thread.
template <class In, class Taps, int kInZ, int kInY, int kColumns>
struct ColumnWindow {
  static constexpr int kInX = Taps::kTaps;
  using Value = typename StoredLookup<In, In, Taps>::Made;
  Value rows[kInY][kColumns][kInX];
  unsigned first = 0;  ///< row of the image in rows[0]; the others follow
  bool is_filled = false;

  /// Moves to the kInY rows from `at` on, which must all be held.
  template <class Voxels>
  void move_to(unsigned at, const FoundTap (&x)[kColumns], const FoundWeights<Taps, kInZ>& by_z,
               const Voxels& voxels, const In* plane) {
    const unsigned step = at - first;
    int missing = is_filled && step < kInY ? static_cast<int>(step) : kInY;
    first = at;
    is_filled = true;
#pragma unroll 1
    for (; missing > 0; --missing) {
      const In* const row = plane + static_cast<Count>(at + (kInY - missing)) * voxels.row;
#pragma unroll
      for (int k = 0; k < kColumns; ++k)
#pragma unroll
        for (int i = 0; i < kInX; ++i) {
#pragma unroll
          for (int j = 1; j < kInY; ++j) rows[j - 1][k][i] = rows[j][k][i];
          if constexpr (kInX == 1)
            rows[kInY - 1][k][i] = __ldg(row + x[k].at);
          else
            rows[kInY - 1][k][i] =
                by_z.sum([&](int l) { return voxels.at(row + x[k].at, l, 0, i); });
        }
    }
  }
};

/// As resample_pixel; each warp makes pieces of one row at a time.
template <class In, class Out, class Taps, int kInZ, int kInY, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_column(const __grid_constant__ ResampleArguments a) {
  constexpr int kInX = Taps::kTaps, kWide = 32;
  const LookupStrip<Out> s = lookup_strip<Out, kWide, kColumns>(a);
  StoredLookup<In, Out, Taps> stored;
  const ColumnParts<Along::columns, kColumns> columns{a.x, s.x, kWide};
  FoundColumns<Taps, kInX, Along::columns, kColumns> x;
  x.find(a.x, row_part(a.x, s.z, s.y), columns);
  const FoundTap z = found_tap<Taps, kInZ>(a.z, coordinate(a.z, row_part(a.z, s.z, s.y), 0));
  constexpr unsigned kAll = (1U << kColumns) - 1;
  unsigned safe = 0;  // bits of columns
  const FoundWeights<Taps, kInZ> by_z{z.t};
  FoundWeights<Taps, kInX> by_x[kColumns];
#pragma unroll
  for (int k = 0; k < kColumns; ++k) {
    if (k < s.columns && z.at < a.z.safe && x[k].at < a.x.safe) safe |= 1U << k;
    by_x[k] = FoundWeights<Taps, kInX>{x[k].t};
    // Columns that are not safe read safe voxels with the others, and are made afterwards
    x.taps[k].at = std::min(x.taps[k].at, a.x.safe - 1);
  }

  const LookupVoxels<In, false> voxels = held_lookup<In>(a);
  const In* const plane = voxels.of_plane(z);
  ColumnWindow<In, Taps, kInZ, kInY, kColumns> window;
  unsigned beside = 0;
  Out* to = s.out;
  double at_y = s.y;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    const double c = coordinate(a.y, row_part(a.y, s.z, at_y), 0);
    const FoundTap y = found_tap<Taps, kInY>(a.y, c);
    unsigned made_here = 0;
    if (safe != 0 && y.at < a.y.safe) {
      made_here = safe;
      window.move_to(y.at, x.taps, by_z, voxels, plane);
      const FoundWeights<Taps, kInY> by_y{y.t};
      typename StoredLookup<In, Out, Taps>::Made made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        if constexpr (kInX == 1) {
          made[k] = window.rows[0][k][0];
        } else {
          float p[kInX];
#pragma unroll
          for (int i = 0; i < kInX; ++i)
            p[i] = by_x[k].w[i] * by_y.sum([&](int j) { return window.rows[j][k][i]; });
          made[k] = Taps::sum(p);
        }
      }
      if (safe == kAll) {
        stored.template to_columns<kColumns>(made, to, kWide);
      } else {
#pragma unroll
        for (int k = 0; k < kColumns; ++k)
          if (safe >> k & 1) to[k * kWide] = stored.of(made[k]);
      }
    }
    beside |= (((1U << s.columns) - 1) & ~made_here) << (row * kColumns);
    at_y += s.tall;
    to += s.pitch;
  }
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide, kColumns>(a, s, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
