// SPDX-License-Identifier: MIT
// kernels/resample_nearest.hpp — the voxels that coordinates are nearest to.
#pragma once
#include "kernels/coordinates.hpp"
#include "kernels/outside.hpp"
#include "kernels/rows_ahead.hpp"
#include "kernels/vector_level.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// Finds for rows of coordinates the voxels of a window that are nearest to them. What lies outside
/// is found row by row in vectors where it is a fill value or the nearest voxel; where the image
/// goes on there, voxel by voxel.
class NearestVoxels {
 public:
  /// @param range  of all coordinates that will be asked for; the window holds what is nearest.
  NearestVoxels(const Window& window, Outside outside, const CoordinateRange& range,
                VectorLevel level);

  /// Tells where rows will be found, if it is known.
  void expect(RowsAhead& ahead) const;

  /// Copies the voxels as they are; `fill` stands where nearest_voxel finds none.
  /// @param to  a row of at most kResampleRow voxels of the window's type
  void copy_row(const CoordinateRow& at, double fill, const VoxelView& to) const;
  /// The same in another type, of `count` voxels.
  void read_row(const CoordinateRow& at, int count, double fill, double* to) const;

 private:
  /// What of an axis is looked up, and where it has a value: low <= c + before <= high.
  struct Axis {
    double top;  ///< the voxel behind the last begins half a voxel before it
    double before = 0, low = 0, high = 0;
  };

  template <class T, class To>
  void copy(const CoordinateRow& at, int count, To fill, To* to) const;
  /// For each coordinate its element from `first_` on, below 0 where there is none.
  void find_near(const CoordinateRow& at, int count, std::int32_t* found) const;
  /// The same in the whole window.
  void find_anywhere(const CoordinateRow& at, int count, std::int64_t* found) const;

  const Window& window_;
  Outside outside_;
  VectorLevel level_;
  Axis z_, y_, x_;
  bool is_near_;     ///< find_near finds all
  bool is_flat_;     ///< one coordinate along z stands for all
  bool has_absent_;  ///< there may be coordinates without a value
  std::int64_t first_ = 0;
  Extent3 near_{1, 1, 1};  ///< what lies from `first_` on
};

}  // namespace synthoscope::kernels
