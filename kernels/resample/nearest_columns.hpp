// SPDX-License-Identifier: MIT
// kernels/resample/nearest_columns.hpp — the nearest voxels of a tile whose axes are only scaled
// and shifted: each axis is looked up once, for all rows.
#pragma once
#include "kernels/resample/tile.hpp"

namespace synthoscope::kernels {

/// Copies the voxels nearest to the coordinates of a tile, unchanged; writes the fill value if
/// nearest_voxel finds none.
/// @param axes  coordinates along z, y and x of the tile's planes, rows and columns
/// @param out   destination, of the window's type; `tile` is a box of it
void copy_nearest_columns(const Lookup& lookup, const CoordinateRow& axes, const VoxelView& out,
                          const Box3& tile);

}  // namespace synthoscope::kernels
