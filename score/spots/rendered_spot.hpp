// SPDX-License-Identifier: MIT
// score/spots/rendered_spot.hpp — the voxels that a spot's light was rendered into.
#pragma once
#include <vector>
#include "score/spots/spot.hpp"
#include "simulator/base/grid.hpp"

namespace synthoscope::score {

/// Part of a spot's light, in the middle of a voxel.
struct LitVoxel {
  Index3 voxel;
  double share = 0;  ///< of all light of the spot
};

struct RenderedSpot {
  std::vector<LitVoxel> voxels;  ///< shares add up to 1; in the order z, y, x
  AlongZyx centre_um{};          ///< of its light, from the grid's corner
};

/// Returns where the simulator puts the light of an even ball: into each voxel the part that lies
/// in it. A ball smaller than a voxel may lie in one voxel alone; then its light is in the middle
/// of this voxel, wherever in it the ball is. Voxels may lie outside the grid.
/// @param grid  on which light is rendered: with optics.oversample the finer one
/// @param spot  with a radius; 0 for a point
RenderedSpot rendered(const Spot& spot, const simulator::Grid& grid);

}  // namespace synthoscope::score
