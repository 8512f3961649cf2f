// SPDX-License-Identifier: MIT
// kernels/device/lookup.hpp — what kernels that resample are told of a map and of what is held, and
// the shape in which they are fastest.
#pragma once
#include <array>
#include "core/volume/box.hpp"
#include "kernels/affine.hpp"
#include "kernels/device/resample_arguments.hpp"
#include "kernels/resample_rows.hpp"

namespace synthoscope::kernels::device {

/// An image whose voxels, or whose coefficients, are looked up.
struct LookedUp {
  Extent3 image;   ///< that coordinates run over
  Index3 shift;    ///< position of the voxel with coordinate 0
  Extent3 extent;  ///< of all positions: `image`, and `shift` more on either side
  Box3 held;       ///< positions
  Interpolation how = Interpolation::linear;
  WholeAxes whole;
};

/// The axes z, y, x, whatever the coordinates are.
std::array<LookupAxis, 3> lookup_axes(const LookedUp& looked_up);
/// The same for the coordinates of a box of the result. Nothing is safe where they reach 2^30.
std::array<LookupAxis, 3> lookup_axes(const AffineMap& map, const LookedUp& looked_up,
                                      const Box3& box);

Along along_of(const Affine& affine, std::size_t axis);

/// The shape whose warps meet fewest lines of image and result about the middle of a box, as
/// measured on an H200.
/// @param multiprocessors  of the device, each of which wants some blocks
LookupShape lookup_shape(const CoordinateMap& map, Interpolation how, const Extent3& box,
                         int multiprocessors);

/// The same for threads that go down columns.
LookupShape column_shape(LookupShape shape, Interpolation how);

/// How many voxels count for one.
int voxels_counted(Interpolation how, const WholeAxes& whole);

}  // namespace synthoscope::kernels::device
