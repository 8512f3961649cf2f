// SPDX-License-Identifier: MIT
// score/surfaces/surface_distance.hpp — how far the surfaces of two objects are apart.
#pragma once
#include <cstdint>
#include <span>
#include "core/base/units.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::score {

/// Two objects in one box: 1 inside, 0 outside, x fastest. What lies outside of the box is outside
/// of both.
struct TwoObjects {
  Extent3 extent;
  std::span<const std::uint8_t> truth, result;  ///< neither is empty
};

/// Distances between surfaces. A voxel of an object lies at its surface if one of its neighbours
/// across a face (in a plane: an edge) is outside.
struct SurfaceDistance {
  double hausdorff_um = 0;    ///< the largest distance of a surface voxel to the other surface
  double hausdorff95_um = 0;  ///< its 95th percentile over the voxels of both surfaces
  double mean_um = 0;         ///< mean over each surface, then of both: symmetric
  double boundary_f = 0;      ///< F1 of the shares of both surfaces within the tolerance
};

/// @param tolerance_um  at least 0
/// @source  boundary F: G. Csurka et al., "What is a good evaluation measure for semantic
///          segmentation?", BMVC 2013.
SurfaceDistance surface_distance(const TwoObjects& objects, const VoxelSize& pitch,
                                 double tolerance_um);

/// Returns the bytes that surface_distance needs for so many voxels of its box.
std::int64_t surface_distance_bytes(std::int64_t voxels);

}  // namespace synthoscope::score
