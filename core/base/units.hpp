// SPDX-License-Identifier: MIT
// core/base/units.hpp — physical sizes. Micrometres unless the name says otherwise.
#pragma once

namespace synthoscope {

/// Pitch of the voxel grid in micrometres; all > 0 and finite.
struct VoxelSize {
  double z_um = 1, y_um = 1, x_um = 1;
  friend constexpr bool operator==(const VoxelSize&, const VoxelSize&) = default;
};

/// A position or a distance along each axis in micrometres.
struct Point3 {
  double z_um = 0, y_um = 0, x_um = 0;
  friend constexpr bool operator==(const Point3&, const Point3&) = default;
};

constexpr double um_from_nm(double nanometres) {
  return nanometres * 1e-3;
}

}  // namespace synthoscope
