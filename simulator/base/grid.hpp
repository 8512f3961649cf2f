// SPDX-License-Identifier: MIT
// simulator/base/grid.hpp — the voxel grid that a scene is rendered, blurred and recorded on.
#pragma once
#include <array>
#include "core/base/units.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::simulator {

/// Voxel (0, 0, 0) spans [0, pitch) on each axis; its centre lies at half a pitch.
struct Grid {
  Extent3 extent;
  VoxelSize pitch;
  friend bool operator==(const Grid&, const Grid&) = default;
};

/// Returns the centre of a voxel in micrometres from the grid's corner.
Point3 centre_of(const Grid& grid, const Index3& voxel);

/// Returns the grid with `n` by `n` voxels along y and x in place of one.
Grid refined(const Grid& grid, std::int64_t n);

/// Returns the grid in which `bin` by `bin` pixels along y and x become one; `bin` divides both
/// extents.
Grid binned(const Grid& grid, std::int64_t bin);

/// Returns the grid with `margin` more voxels at both ends of each axis.
Grid widened(const Grid& grid, const Extent3& margin);

/// Returns the lengths of its edges z, y, x in micrometres.
std::array<double, 3> size_um(const Grid& grid);

}  // namespace synthoscope::simulator
