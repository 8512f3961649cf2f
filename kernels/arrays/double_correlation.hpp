// SPDX-License-Identifier: MIT
// kernels/arrays/double_correlation.hpp — correlation of an array in memory with any weights, in
// double.
#pragma once
#include "core/run/run_context.hpp"
#include "core/volume/boundary.hpp"
#include "core/volume/view.hpp"
#include "kernels/correlate/stencil.hpp"
#include "kernels/lanes/whole_numbers.hpp"

namespace synthoscope::kernels {

struct DoubleCorrelation {
  Stencil stencil;
  Boundary boundary = Boundary::reflect;
  double fill = 0;  ///< value outside under Boundary::zero
  Storing storing{};
  VectorLevel level = vector_level();
};

/// Sums in the order of the weights, z, y, x, as scipy.ndimage does. Weights of magnitude up to
/// 2^-52 are left out, so that a NaN under them does not count. Makes vectors of results from tiles
/// in cache.
/// @param to  of the extent of `from`, not the same memory
/// @throws InvalidSpec  as require_usable.
/// @throws PlanError    context.memory has no space for a tile of each thread.
/// @throws Interrupted  context.stop was set.
void correlate_in_double(const DoubleCorrelation& correlation, const ConstVoxelView& from,
                         const VoxelView& to, const RunContext& context);

}  // namespace synthoscope::kernels
