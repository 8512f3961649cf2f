// SPDX-License-Identifier: MIT
// kernels/device/resample_arguments.hpp — what kernels that resample are told; read by the compiler
// of the host and by that of the device.
#pragma once
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// An axis of the image, and how coordinates are looked up along it.
struct LookupAxis {
  /// coordinate = ((z a[0] + y a[1]) + x a[2]) + a[3], as kernels/affine.hpp has it.
  double a[4] = {0, 0, 0, 0};
  Count image = 1;  ///< voxels, which coordinates run over
  Count shift = 0;  ///< position in the window's image of the voxel with coordinate 0
  /// Voxels that count are taken from where they are held where whole_below(c) + rounder, with
  /// `rounder` = kRounder less some position, is kRounder + i and 0 <= i < safe: nothing stands
  /// outside there, and the first of them is held i voxels behind `first`. None are with safe = 0.
  double rounder = 0;
  unsigned safe = 0;
  Count first = 0;
};

/// What coordinates along an axis depend on. Those that do not depend on x are the same for all
/// columns that a thread makes, and those that depend on z alone are found once.
enum class Along { planes, rows, columns };

struct ResampleArguments {
  HeldVoxels in;
  const void* first = nullptr;  ///< of its voxels the one that is safe first along all axes
  Count plane = 1;              ///< voxels from a plane to the next
  int row = 1;                  ///< and from a row
  MadeVoxels out;
  LookupAxis z, y, x;
  Count tiles_y = 1, tiles_x = 1;  ///< of a plane of the box
  int rows_each = 1;               ///< that a thread makes
  int outside = 0;                 ///< an Outside
  double fill = 0;
};

/// Rows of a plane at coordinates that lie in memory, for `lookup.out` alone: of its voxel (y, x)
/// that along y at y * line + x, and that along x `axis` elements behind it.
struct ResampleAtArguments {
  ResampleArguments lookup;
  const double* coordinates = nullptr;
  Count line = 0, axis = 0;
};

/// Whole numbers beside it are the last bits of a double.
inline constexpr double kWholeRounder = 3.0 * (1LL << 51);

/// Threads of a block of the kernels that look up voxel by voxel.
inline constexpr int kLookupWarps = 8;

/// Warps of them make pieces of rows: `wide` neighbouring threads along x, the others below each
/// other, `columns` voxels of each thread along x, and `rows` along y, one after the other; 32 of
/// a thread at most.
struct LookupShape {
  int wide = 32, columns = 4, rows = 8;
};

/// Columns and rows that a block makes.
constexpr int columns_of(const LookupShape& s) {
  return s.wide * s.columns;
}
constexpr int rows_of(const LookupShape& s) {
  return kLookupWarps * (32 / s.wide) * s.rows;
}

}  // namespace synthoscope::kernels::device
