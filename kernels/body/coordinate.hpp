// SPDX-License-Identifier: MIT
// kernels/body/coordinate.hpp — positions between the voxels of an image. Host and device compile
// this file, so it includes nothing.
#pragma once

namespace synthoscope::kernels {

/// A coordinate in voxels along each axis: whole at the centre of a voxel, 0 at the first.
struct Coordinate3 {
  double z = 0, y = 0, x = 0;
  friend bool operator==(const Coordinate3&, const Coordinate3&) = default;
};

/// Coordinates of voxels of a row that are computed together.
template <int kCount>
struct CoordinatesOf {
  double z[kCount], y[kCount], x[kCount];
};

}  // namespace synthoscope::kernels
