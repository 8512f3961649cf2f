// SPDX-License-Identifier: MIT
// kernels/resample/nearest.hpp — the voxels that are nearest to coordinates.
#pragma once
#include "core/vector/vector_level.hpp"
#include "kernels/coordinates/coordinates.hpp"
#include "kernels/coordinates/outside.hpp"
#include "kernels/operation/window.hpp"
#include "kernels/resample/rows_ahead.hpp"

namespace synthoscope::kernels {

/// Finds the voxels of a window that are nearest to rows of coordinates. Voxels outside are found
/// row by row in vectors if they are a fill value or the nearest voxel; if the image continues
/// there, voxel by voxel.
class NearestVoxels {
 public:
  /// @param range  of all coordinates that will be looked up; the window holds the voxels nearest
  ///               to them.
  NearestVoxels(const Window& window, Outside outside, const CoordinateRange& range,
                VectorLevel level);

  /// Passes to `ahead` where rows will be found, if it is known.
  void expect(RowsAhead& ahead) const;

  /// Copies the voxels unchanged; writes `fill` if nearest_voxel finds none.
  /// @param to  a row of at most kResampleRow voxels of the window's type
  void copy_row(const CoordinateRow& at, double fill, const VoxelView& to) const;
  /// Like copy_row, but converts `count` voxels to double.
  void read_row(const CoordinateRow& at, int count, double fill, double* to) const;

 private:
  /// How an axis is looked up; a coordinate c has a value if low <= c + before <= high.
  struct Axis {
    double top;  ///< limit of c + 1/2, half a voxel before the end of the image
    double before = 0, low = 0, high = 0;
  };

  template <class T, class To>
  void copy(const CoordinateRow& at, int count, To fill, To* to) const;
  /// Finds for each coordinate its element, counted from `first_`; below 0 if there is none.
  void find_near(const CoordinateRow& at, int count, std::int32_t* found) const;
  /// Finds elements in the whole window.
  void find_anywhere(const CoordinateRow& at, int count, std::int64_t* found) const;

  const Window& window_;
  Outside outside_;
  VectorLevel level_;
  Axis z_, y_, x_;
  bool is_near_;     ///< find_near finds all
  bool is_flat_;     ///< all have the same coordinate along z
  bool has_absent_;  ///< there may be coordinates without a value
  std::int64_t first_ = 0;
  Extent3 near_{1, 1, 1};  ///< extent of what is looked up from `first_` on
};

}  // namespace synthoscope::kernels
