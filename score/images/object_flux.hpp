// SPDX-License-Identifier: MIT
// score/images/object_flux.hpp — how much of each object's light a result has kept.
#pragma once
#include <cstdint>
#include <vector>
#include "score/images/image_pair.hpp"
#include "score/labels/overlap.hpp"

namespace synthoscope::score {

/// Sums over the voxels of one label.
struct ObjectFlux {
  std::int64_t id = 0;      ///< not 0
  std::int64_t voxels = 0;  ///< at least 1
  double truth = 0, result = 0;

  /// NaN if the sum of the truth is 0.
  [[nodiscard]] double ratio() const;
};

/// Returns the objects of `labels`, by rising id. Nothing is subtracted from either image.
/// @throws InvalidSpec   the labels have another extent.
/// @throws InvalidInput  a label is no whole number, or a voxel is not finite.
/// @throws PlanError, Interrupted, and what the sources throw
std::vector<ObjectFlux> object_fluxes(const ScoredImage& truth, const ScoredImage& result,
                                      const LabelImage& labels, const RunContext& context);

/// Quantiles of the ratios of objects that have one, linear between ranks as numpy's default.
struct FluxQuantiles {
  std::int64_t objects = 0;                               ///< with a ratio
  double q05 = 0, q25 = 0, median = 0, q75 = 0, q95 = 0;  ///< NaN without objects
};

[[nodiscard]] FluxQuantiles quantiles_of(const std::vector<ObjectFlux>& objects);

}  // namespace synthoscope::score
