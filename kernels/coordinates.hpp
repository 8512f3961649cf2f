// SPDX-License-Identifier: MIT
// kernels/coordinates.hpp — where in an image the voxels of a result are looked up.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/volume/box.hpp"
#include "kernels/body/coordinate.hpp"

namespace synthoscope::kernels {

/// All coordinates between two, inclusive. Infinite or NaN where nothing can be said.
struct CoordinateRange {
  Coordinate3 low, high;

  static CoordinateRange everywhere() {
    return {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  }
  /// Holds nothing until it is widened.
  static CoordinateRange nowhere() {
    return {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  }

  /// To hold those of another, too.
  void widen(const CoordinateRange& by) {
    low = {std::min(low.z, by.low.z), std::min(low.y, by.low.y), std::min(low.x, by.low.x)};
    high = {std::max(high.z, by.high.z), std::max(high.y, by.high.y), std::max(high.x, by.high.x)};
  }
};

/// Added to a range for rounding in the sums of a coordinate, in voxels: far more than it makes
/// where nothing cancels.
inline constexpr double kRoundingRoom = 1e-6;

/// Coordinates of the voxels of a row, one array an axis.
struct CoordinateRow {
  double *z, *y, *x;
};

/// Which coordinates are whole for every voxel, whatever the others are: nothing is interpolated
/// along these axes.
struct WholeAxes {
  bool z = false, y = false;
};

/// Gives for each voxel of a result its coordinate in the image, a function of the voxel alone.
class CoordinateMap {
 public:
  virtual ~CoordinateMap() = default;

  /// The coordinates of the voxels (z, y, x) ... (z, y, x + count - 1). Several threads may ask at
  /// once. A coordinate that is not a number is taken for one far outside.
  virtual void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                   const CoordinateRow& to) const = 0;

  /// Holds the coordinates of all voxels of `box`; as narrow as is cheap to say.
  [[nodiscard]] virtual CoordinateRange range(const Box3& box) const = 0;

  [[nodiscard]] virtual WholeAxes whole_axes() const { return {}; }
};

}  // namespace synthoscope::kernels
