// SPDX-License-Identifier: MIT
// kernels/resample/columns.hpp — an image looked up when each of its axes is only scaled and
// shifted.
#pragma once
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels {

/// Looks up voxels at all combinations of coordinates along each axis. Sums along z and y are made
/// for whole rows of the image and shared by the voxels that need them; results equal those of
/// interpolate_row to the bit.
class ColumnTile {
 public:
  /// @param at       placed; size.z, size.y and size.x of them along the axes, at most
  ///                 kResampleRow.
  /// @param held     extent of `voxels`, which hold all that counts.
  /// @param scratch  of floats(held).
  ColumnTile(Interpolation how, const WholeAxes& whole, VectorLevel level, const CoordinateRow& at,
             const Extent3& size, const FloatVoxels& voxels, const Extent3& held, float* scratch)
      : how_{how},
        whole_{whole},
        level_{level},
        at_{at},
        size_{size},
        voxels_{voxels},
        held_{held},
        scratch_{scratch} {}

  static std::int64_t floats(const Extent3& held) { return held.y * held.x + held.x; }

  /// Makes the rows of plane `z`, of size.x voxels each, without gaps.
  void plane(std::int64_t z, float* out) const;

 private:
  template <class Taps, int InZ, int InY>
  void make(std::int64_t z, float* out) const;

  Interpolation how_;
  WholeAxes whole_;
  VectorLevel level_;
  CoordinateRow at_;
  Extent3 size_;
  FloatVoxels voxels_;
  Extent3 held_;
  float* scratch_;
};

}  // namespace synthoscope::kernels
