// SPDX-License-Identifier: MIT
// kernels/arrays/looked_up.hpp — what look_up reads: an image, or the coefficients of the spline
// that passes through its voxels; and where it writes.
#pragma once
#include "core/run/host_buffer.hpp"
#include "kernels/arrays/spline_lookup.hpp"
#include "kernels/splines/axis.hpp"

namespace synthoscope::kernels {

/// The voxels that are looked up: an image itself, or coefficients of it, which this owns.
class LookedUp {
 public:
  /// Splines of order 2 and more need coefficients in double: fits them to the image, or only
  /// converts the image if it holds coefficients.
  /// @throws PlanError    context.memory has no space for them; names a sufficient budget.
  /// @throws Interrupted  context.stop was set.
  LookedUp(const SplineLookup& how, const ConstVoxelView& image, const RunContext& context);

  [[nodiscard]] const ConstVoxelView& voxels() const { return voxels_; }
  [[nodiscard]] LookupAxis z() const;
  [[nodiscard]] LookupAxis y() const;
  [[nodiscard]] LookupAxis x() const;

 private:
  void convert(const SplineLookup& how, const ConstVoxelView& image, const RunContext& context);

  Outside outside_;
  Index3 before_;  ///< voxels before the image that continue it
  HostBuffer<double> coefficients_;
  ConstVoxelView voxels_;
};

/// @throws InvalidSpec  as look_up.
void require_look_up(const SplineLookup& how, const Extent3& image, const Extent3& to);

/// Stores `count` results from `first` on along x.
void store_looked_up(const SplineLookup& how, const double* results, const Index3& first,
                     std::int64_t count, const VoxelView& to);

}  // namespace synthoscope::kernels
