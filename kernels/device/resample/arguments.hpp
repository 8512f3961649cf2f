// SPDX-License-Identifier: MIT
// kernels/device/resample/arguments.hpp — arguments of kernels that resample; host and device
// compile this file.
#pragma once
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// An axis of the image, and how coordinates are looked up along it.
struct LookupAxis {
  /// coordinate = ((z a[0] + y a[1]) + x a[2]) + a[3], as kernels/coordinates/affine.hpp has it.
  double a[4] = {0, 0, 0, 0};
  Count image = 1;  ///< voxels: the range of coordinates
  Count shift = 0;  ///< position in the window's image of the voxel with coordinate 0
  /// A coordinate c is safe if whole_below(c) + rounder is kWholeRounder + i with 0 <= i < safe,
  /// where `rounder` is kWholeRounder less some position. All voxels that count are then inside and
  /// held, the first of them i voxels after `first`. Nothing is safe if safe = 0.
  double rounder = 0;
  unsigned safe = 0;
  Count first = 0;
};

/// What coordinates along an axis depend on. If they do not depend on x, they are the same for all
/// columns of a thread; if they depend on z alone, they are found once.
enum class Along { planes, rows, columns };

struct ResampleArguments {
  HeldVoxels in;
  const void* first = nullptr;  ///< the first voxel of `in` that is safe along all axes
  Count plane = 1;              ///< elements from a plane to the next
  int row = 1;                  ///< elements from a row to the next
  MadeVoxels out;
  LookupAxis z, y, x;
  Count tiles_y = 1, tiles_x = 1;  ///< tiles of a plane of the box
  int rows_each = 1;               ///< rows of a thread
  int outside = 0;                 ///< an Outside
  double fill = 0;
};

/// Rows of a plane, looked up at coordinates in memory for `lookup.out` alone: the y of its voxel
/// (y, x) is at y * line + x, and its x `axis` elements after that.
struct ResampleAtArguments {
  ResampleArguments lookup;
  const double* coordinates = nullptr;
  Count line = 0, axis = 0;
};

/// Doubles near this number are whole, with the distance from it as their last bits.
inline constexpr double kWholeRounder = 3.0 * (1LL << 51);

/// Warps of a block of the kernels that look up voxel by voxel.
inline constexpr int kLookupWarps = 8;

/// How a warp makes a piece of rows: `wide` neighbouring threads along x, the other threads in rows
/// below; each thread makes `columns` voxels along x and `rows` along y, 32 in total at most.
struct LookupShape {
  int wide = 32, columns = 4, rows = 8;
};

/// Return the columns and rows that a block makes.
constexpr int columns_of(const LookupShape& s) {
  return s.wide * s.columns;
}
constexpr int rows_of(const LookupShape& s) {
  return kLookupWarps * (32 / s.wide) * s.rows;
}

/// The displacements of the result's box, in z, y, x order without gaps.
struct DisplacementBox {
  const float *z = nullptr, *y = nullptr, *x = nullptr;  ///< null z if planes stay planes
};

/// @tparam Map  Projective, ThinPlate or DisplacementBox
template <class Map>
struct WarpArguments {
  ResampleArguments lookup;
  Map map;
};

}  // namespace synthoscope::kernels::device
