// SPDX-License-Identifier: MIT
// fit/objects/labelled_object.hpp — what is measured of an object of a labelled image.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>
#include "core/volume/box.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::fit {

/// Lengths are in micrometres. In an image of one plane an object is flat: its size is an area, and
/// lengths along z are 0.
struct LabelledObject {
  std::uint32_t label = 0;
  std::int64_t voxels = 0;
  Box3 box;                           ///< the smallest that contains it
  simulator::Vector3 centre_um = {};  ///< mean of its voxels, z, y, x from the corner of the grid
  double size = 0;                    ///< volume, um^3; in a plane area, um^2
  double radius_um = 0;               ///< of the ball of this volume, or of the disc of this area
  /// Semi-axes of the ellipsoid of equal second moments: along z, and the shorter and the longer
  /// one across z of its shadow in the plane. Right for objects that lie flat.
  double z_um = 0, short_um = 0, long_um = 0;
  /// The same along its principal axes, ascending; in a plane 0, short_um and long_um.
  simulator::Vector3 principal_um = {};
  /// Part of its extent along z that its position in the plane explains, 0 ... 1: 0 if it lies
  /// flat. @source squared multiple correlation of z with y and x
  double tilt = 0;
  simulator::Vector3 long_axis = {};  ///< unit vector along the longest principal axis, z, y, x
  double outside_share = 0;  ///< share of voxels outside the ellipsoid of equal moments and volume
  /// Norm of the third moments of its voxels, in standard deviations along its axes: 0 of one that
  /// is symmetric about its centre, larger of pears and triangles.
  /// @source the root of b_1 of Mardia, Biometrika 57 (1970) 519, doi:10.1093/biomet/57.3.519
  double skewness = 0;
  double hole_share = 0;  ///< voxels of its holes, relative to its own
  int parts = 1;          ///< that do not touch each other, not even by corners
  bool at_side = false;   ///< touches a face of the field along y or x
  bool at_end = false;    ///< touches the first or last plane of a stack
  /// Distance to the surface of the nearest other object; 0 if their voxels touch, infinity if
  /// there is none.
  double gap_um = std::numeric_limits<double>::infinity();
  int touching = 0;        ///< number of objects whose voxels touch its own, if only by a corner
  double mean_counts = 0;  ///< DN; 0 without counts

  [[nodiscard]] bool is_cut() const { return at_side || at_end; }
};

/// All objects of an image, by ascending label.
struct LabelledObjects {
  std::string image;  ///< its name
  simulator::Grid grid;
  std::vector<LabelledObject> objects;

  [[nodiscard]] bool is_plane() const { return grid.extent.z == 1; }
};

}  // namespace synthoscope::fit
