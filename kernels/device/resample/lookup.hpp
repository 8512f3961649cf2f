// SPDX-License-Identifier: MIT
// kernels/device/resample/lookup.hpp — arguments of kernels that resample, for a map and the held
// voxels, and the launch shape in which they are fastest.
#pragma once
#include <array>
#include "core/volume/box.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/device/resample/arguments.hpp"
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels::device {

/// An image whose voxels, or whose coefficients, are looked up.
struct LookedUp {
  Extent3 image;   ///< the range of coordinates
  Index3 shift;    ///< position of the voxel with coordinate 0
  Extent3 extent;  ///< of all positions: `image`, and `shift` more on either side
  Box3 held;       ///< positions that are held
  Interpolation how = Interpolation::linear;
  WholeAxes whole;
};

/// Returns the axes z, y, x, for any coordinates.
std::array<LookupAxis, 3> lookup_axes(const LookedUp& looked_up);
/// Returns them for the coordinates of a box of the result. Nothing is safe if these reach 2^30.
std::array<LookupAxis, 3> lookup_axes(const AffineMap& map, const LookedUp& looked_up,
                                      const Box3& box);

Along along_of(const Affine& affine, std::size_t axis);

/// Returns the shape whose warps touch fewest lines of image and result near the middle of a box,
/// with costs measured on an H200.
/// @param multiprocessors  of the device; each gets several blocks
LookupShape lookup_shape(const CoordinateMap& map, Interpolation how, const Extent3& box,
                         int multiprocessors);

/// Returns the shape for threads that go down columns.
LookupShape column_shape(LookupShape shape, Interpolation how);

/// Returns how many voxels count for one result.
int voxels_counted(Interpolation how, const WholeAxes& whole);

}  // namespace synthoscope::kernels::device
