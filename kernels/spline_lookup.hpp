// SPDX-License-Identifier: MIT
// kernels/spline_lookup.hpp — an image in memory at any coordinates, by splines of order 0 to 5, in
// double.
#pragma once
#include <span>
#include "core/run/run_context.hpp"
#include "core/volume/view.hpp"
#include "kernels/coordinates.hpp"
#include "kernels/outside.hpp"
#include "kernels/whole_numbers.hpp"

namespace synthoscope::kernels {

/// Axes along which voxels stay where they are: nothing is looked up along them.
struct KeptAxes {
  bool z = false, y = false, x = false;
};

struct SplineLookup {
  int order = 3;
  Outside outside = Outside::zero;
  double fill = 0;   ///< for zero and grid_constant
  bool fits = true;  ///< orders above 1: else the image holds the spline's coefficients
  KeptAxes kept{};
  Storing storing{WholeNumbers::nearest, false};
  VectorLevel level = vector_level();
};

/// Coordinates of the voxels along each axis, where each axis has its own; none along `kept` ones.
struct AxisCoordinates {
  std::span<const double> z, y, x;
};

/// result(o) = image(coordinates of o), as scipy.ndimage has it: under Outside::zero the fill value
/// stands wherever a coordinate is outside. Sums are doubles, and so are the coefficients that are
/// fitted first: eight bytes for each voxel of the image. Under nearest and grid_constant the image
/// is continued by 12 voxels for the fit.
/// @param to  of as many voxels as there are coordinates, and of the image's along `kept` axes; not
///            the same memory
/// @throws InvalidSpec  an order outside 0 to 5, or extents that do not go together.
/// @throws PlanError    context.memory has no room for coefficients or coordinates.
/// @throws Interrupted  context.stop was set.
void look_up(const SplineLookup& how, const ConstVoxelView& image, const AxisCoordinates& at,
             const VoxelView& to, const RunContext& context);
void look_up(const SplineLookup& how, const ConstVoxelView& image, const CoordinateMap& at,
             const VoxelView& to, const RunContext& context);

/// How lines go on where a spline is fitted to them: as outside, or else mirrored.
Boundary fitted_boundary(Outside outside);

}  // namespace synthoscope::kernels
