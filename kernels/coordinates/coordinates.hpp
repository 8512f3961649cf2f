// SPDX-License-Identifier: MIT
// kernels/coordinates/coordinates.hpp — where in an image the voxels of a result are looked up.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/volume/box.hpp"
#include "kernels/body/coordinate.hpp"

namespace synthoscope::kernels {

/// All coordinates between two, inclusive; infinite or NaN if nothing is known.
struct CoordinateRange {
  Coordinate3 low, high;

  static CoordinateRange everywhere() {
    return {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  }
  /// Returns a range that is empty until it is widened.
  static CoordinateRange nowhere() {
    return {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  }

  /// Widens this range to include `by`.
  void widen(const CoordinateRange& by) {
    low = {std::min(low.z, by.low.z), std::min(low.y, by.low.y), std::min(low.x, by.low.x)};
    high = {std::max(high.z, by.high.z), std::max(high.y, by.high.y), std::max(high.x, by.high.x)};
  }
};

/// Margin of a range for rounding in the sums of a coordinate, in voxels; far larger than the
/// rounding unless terms cancel.
inline constexpr double kRoundingRoom = 1e-6;

/// Coordinates of the voxels of a row, one array for each axis.
struct CoordinateRow {
  double *z, *y, *x;
};

/// Which coordinates are whole numbers for every voxel: nothing is interpolated along these axes.
struct WholeAxes {
  bool z = false, y = false;
};

/// Computes the coordinate in the image of each voxel of a result, from the voxel alone.
class CoordinateMap {
 public:
  virtual ~CoordinateMap() = default;

  /// Computes the coordinates of voxels (z, y, x) ... (z, y, x + count - 1). Several threads may
  /// call it at once. A NaN coordinate counts as far outside.
  virtual void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                   const CoordinateRow& to) const = 0;

  /// Returns a range that holds the coordinates of all voxels of `box`, as narrow as is cheap to
  /// find.
  [[nodiscard]] virtual CoordinateRange range(const Box3& box) const = 0;

  [[nodiscard]] virtual WholeAxes whole_axes() const { return {}; }
};

}  // namespace synthoscope::kernels
