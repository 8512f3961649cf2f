// SPDX-License-Identifier: MIT
// kernels/device/spline_prefilter_arguments.hpp — what the kernels that fit splines are told; read
// by the compiler of the host and by that of devices.
#pragma once
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// A warp makes so many columns of a row; voxels of as many as the others count for them.
inline constexpr int kSplineColumns = 96;
inline constexpr int kSplineWarps = 4;  ///< of a block, each for itself
/// Voxels come in by groups of so many, which is what a step of the fit looks back at, at most.
inline constexpr int kSplineGroup = 16;
inline constexpr int kSplineAhead = 8;  ///< rows or planes on their way, at most
/// Sets of four voxels that a lane has in shared memory where columns of planes are fitted: those
/// that the two longer steps look back at. In registers they would leave room for few warps.
inline constexpr int kSplineFar = 24;

/// Fits rows, and columns of planes, of the box of positions from (z, y, x) on.
struct SplinePlanesArguments {
  HeldVoxels in;
  int boundary = 0;
  float fill = 0;  ///< outside under Boundary::zero
  Count z = 0, y = 0, x = 0;
  Count planes = 0, rows = 0, columns = 0;
  Count tiles = 0;              ///< side by side that have all columns
  Count strip = 0, strips = 0;  ///< of rows, one below the other
  int steps = 0;                ///< that a warp keeps the places of: of a strip's groups, and ahead
  float* fitted = nullptr;      ///< in z, y, x order without gaps
};

/// Fits columns along z of volumes without gaps.
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
