// SPDX-License-Identifier: MIT
// kernels/coordinates/resampling_grid.hpp — the grids that images are resampled to: the number of
// voxels, their size, and where each is looked up.
#pragma once
#include "core/base/units.hpp"
#include "kernels/coordinates/affine.hpp"

namespace synthoscope::kernels {

struct ResamplingGrid {
  Affine affine;  ///< from voxels of the result to coordinates in the image
  Extent3 extent;
  VoxelSize pitch;
};

/// Returns a grid of `factor` times as many voxels along each axis of the same space, at least one,
/// all of the same size. The first face stays in place, and the last is as near as whole voxels
/// allow.
/// @throws InvalidSpec  a factor that is not positive.
ResamplingGrid enlarged(const Extent3& image, const VoxelSize& pitch, const Coordinate3& factor);

/// Returns a grid of voxels of the size `wanted` in the same space.
/// @throws InvalidSpec  a size that is not positive.
ResamplingGrid respaced(const Extent3& image, const VoxelSize& pitch, const VoxelSize& wanted);

/// Returns a grid of `result` voxels of the same size, turned about the centre (rotation).
ResamplingGrid turned(const Extent3& image, const VoxelSize& pitch, int axis, double degrees,
                      const Extent3& result);

/// Returns a grid by a matrix of coordinates: a voxel is as large as its steps are long in the
/// image, and keeps its size along axes whose steps are 0.
ResamplingGrid by_matrix(const VoxelSize& pitch, const Affine& affine, const Extent3& result);

/// Returns the grid of a stack of inclined planes, as a light sheet records them while the stage
/// moves, in the frame of the stage. The sheet is at an angle a to the plane in which the stage
/// moves by the step s from plane to plane (the image's z pitch); row j of plane k, with the pitch
/// p, is at
///
///     Y = k s + j p cos a ,   Z = j p |sin a| ,   X = i p_x ,
///
/// so that k = (Y - Z cot |a|) / s and j = Z / (p |sin a|) (for a < 0 the planes lean back: the
/// cosine changes its sign). Voxels of the result are cubes of the image's x pitch, and its planes
/// are parallel to the stage; it holds all that was recorded.
/// @param degrees  a, between -90 and 90, not 0.
/// @throws InvalidSpec  another angle.
/// @source  the geometry of a translated oblique plane; as in Sapoznik et al., eLife 9 (2020)
///          e57681, doi:10.7554/eLife.57681, methods.
ResamplingGrid deskewed(const Extent3& image, const VoxelSize& pitch, double degrees);

}  // namespace synthoscope::kernels
