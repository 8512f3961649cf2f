// SPDX-License-Identifier: MIT
// kernels/body/coordinate.hpp — places between the voxels of an image. Read by the compiler of the
// host and by that of the device, so it includes nothing.
#pragma once

namespace synthoscope::kernels {

/// A coordinate in voxels along each axis: whole at the centre of a voxel, 0 at the first.
struct Coordinate3 {
  double z = 0, y = 0, x = 0;
  friend bool operator==(const Coordinate3&, const Coordinate3&) = default;
};

/// Coordinates that are found together, of voxels of a row.
template <int kCount>
struct CoordinatesOf {
  double z[kCount], y[kCount], x[kCount];
};

}  // namespace synthoscope::kernels
