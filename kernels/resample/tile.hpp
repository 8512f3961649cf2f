// SPDX-License-Identifier: MIT
// kernels/resample/tile.hpp — looks up a tile of a result in the caches of a core.
#pragma once
#include "kernels/coordinates/outside.hpp"
#include "kernels/operation/tiled_operation.hpp"
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels {

/// How voxels are found. All but texture give the same bits, on host and device.
enum class ResampleStrategy {
  automatic,  ///< whichever is fastest
  pixel,      ///< each voxel separately, by the plain sum of what counts for it
  column,     ///< sums along z and y shared by columns, if each axis is only scaled and shifted
  tile,       ///< from a copy of the voxels around a tile
  texture  ///< by the texture units of a device, for linear: their weights have 8 fractional bits,
           ///< so that an axis adds an error up to 1/256 of the difference between the two voxels
};

std::string_view name_of(ResampleStrategy strategy);
std::optional<ResampleStrategy> resample_strategy_named(std::string_view name);

/// What is looked up, and how.
struct Lookup {
  const CoordinateMap& map;
  Interpolation how;
  Outside outside;
  double fill;
  WholeAxes whole;
  bool is_columns;  ///< each coordinate depends on its own axis of the result alone
  Extent3 image;    ///< that coordinates refer to
  VectorLevel level;
  ResampleStrategy strategy;
  Index3 shift;  ///< position in the window's image of the voxel with coordinate 0
  const Window* voxels = nullptr;  ///< of the image or of coefficients; positions_of needs none
};

/// Returns the box of all voxels that count for `box`.
Box3 positions_of(const Lookup& lookup, const Box3& box);

/// Returns the size of the tiles that boxes are cut into.
Extent3 resample_tile(const Lookup& lookup, const Extent3& box);

/// Returns the scratch that a thread needs to make a tile, in floats.
std::int64_t tile_floats();

/// Makes every row of `tile`, a box of the result no larger than resample_tile returns.
void make_tile(const Lookup& lookup, const Box3& tile, float* scratch, ResultRows& rows);
/// Does the same for Interpolation::nearest.
/// @param out   receives voxels of the window's type unchanged; other types go to `rows`.
/// @param part  position of the tile in `out`.
void copy_tile(const Lookup& lookup, const Box3& tile, VoxelView out, const Index3& part,
               ResultRows& rows);

}  // namespace synthoscope::kernels
