// SPDX-License-Identifier: MIT
// kernels/arrays/spline_lookup.hpp — looks up an image in memory at any coordinates, by splines of
// order 0 to 5, in double.
#pragma once
#include <span>
#include "core/run/run_context.hpp"
#include "core/volume/view.hpp"
#include "kernels/coordinates/coordinates.hpp"
#include "kernels/coordinates/outside.hpp"
#include "kernels/lanes/whole_numbers.hpp"

namespace synthoscope::kernels {

/// Axes along which voxels keep their position: nothing is looked up along them.
struct KeptAxes {
  bool z = false, y = false, x = false;
};

struct SplineLookup {
  int order = 3;
  Outside outside = Outside::zero;
  double fill = 0;   ///< for zero and grid_constant
  bool fits = true;  ///< orders above 1: fit coefficients; otherwise the image holds them
  KeptAxes kept{};
  Storing storing{WholeNumbers::nearest, false};
  VectorLevel level = vector_level();
};

/// Coordinates of the voxels along each axis, if each axis has its own; empty along `kept` axes.
struct AxisCoordinates {
  std::span<const double> z, y, x;
};

/// result(o) = image(coordinates of o), as in scipy.ndimage: under Outside::zero the result is the
/// fill value if a coordinate is outside. Sums are doubles, and so are the coefficients that are
/// fitted first: eight bytes for each voxel of the image. Under nearest and grid_constant the image
/// is continued by 12 voxels for the fit.
/// @param to  as many voxels as there are coordinates, and as the image has along `kept` axes; not
///            the same memory
/// @throws InvalidSpec  an order outside 0 to 5, or extents that do not match.
/// @throws PlanError    context.memory has no space for coefficients or coordinates.
/// @throws Interrupted  context.stop was set.
void look_up(const SplineLookup& how, const ConstVoxelView& image, const AxisCoordinates& at,
             const VoxelView& to, const RunContext& context);
void look_up(const SplineLookup& how, const ConstVoxelView& image, const CoordinateMap& at,
             const VoxelView& to, const RunContext& context);

/// Returns how lines continue when a spline is fitted to them: reflect for nearest and reflect,
/// wrap for wrap, otherwise mirror.
Boundary fitted_boundary(Outside outside);

}  // namespace synthoscope::kernels
