// SPDX-License-Identifier: MIT
// kernels/device/splines/prefilter_arguments.hpp — arguments of the kernels that fit splines; host
// and device compile this file.
#pragma once
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Columns of a row that a warp makes; it reads 16 more on either side.
inline constexpr int kSplineColumns = 96;
inline constexpr int kSplineWarps = 4;  ///< of a block, independent of each other
/// Voxels are read in groups of this many, which is the most that a step of the fit looks back.
inline constexpr int kSplineGroup = 16;
inline constexpr int kSplineAhead = 8;  ///< rows or planes that are being loaded, at most
/// Sets of four voxels that a lane has in shared memory if columns of planes are fitted: those that
/// the two longer steps look back at. In registers they would leave space for few warps.
inline constexpr int kSplineFar = 24;

/// Arguments for fitting rows, and columns of planes, of the box of positions from (z, y, x) on.
struct SplinePlanesArguments {
  HeldVoxels in;
  int boundary = 0;
  float fill = 0;  ///< value outside under Boundary::zero
  Count z = 0, y = 0, x = 0;
  Count planes = 0, rows = 0, columns = 0;
  Count tiles = 0;              ///< tiles along x that cover all columns
  Count strip = 0, strips = 0;  ///< rows of a strip, and strips along y
  int steps = 0;                ///< indices that a warp keeps: for the groups of a strip, and ahead
  float* fitted = nullptr;      ///< in z, y, x order without gaps
};

/// Arguments for fitting columns along z of volumes without gaps.
struct SplineColumnsArguments {
  const float* fitted = nullptr;  ///< planes of `in`
  HeldAxis in;
  int boundary = 0;
  float fill = 0;
  Count z = 0, planes = 0;  ///< positions that are made
  int columns = 0;          ///< voxels of a plane
  Count strip = 0, strips = 0;
  int steps = 0;
  float* coefficients = nullptr;
};

}  // namespace synthoscope::kernels::device
