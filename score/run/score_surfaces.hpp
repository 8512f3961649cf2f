// SPDX-License-Identifier: MIT
// score/run/score_surfaces.hpp — how far the surfaces of matched objects are apart.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "score/run/score_labels.hpp"
#include "score/surfaces/surface_distance.hpp"

namespace synthoscope::score {

/// Means over all pairs of a true object and its match at 0.5. Lengths are in micrometres; in
/// voxels if the size of voxels is not known.
struct SurfaceScores {
  std::int64_t pairs = 0;
  double tolerance = 0;  ///< of the boundary F
  SurfaceDistance mean;  ///< of each distance; 0 without a pair
  double largest_hausdorff = 0;
};

/// Reads the box around each pair once more.
/// @param tasks      those that `report` is of
/// @param tolerance  nothing: the largest edge of a pixel of the first task
/// @throws PlanError  the memory has no room for the largest pair.
/// @throws Interrupted, and what opening and reading throw
SurfaceScores score_surfaces(const std::vector<LabelTask>& tasks, const LabelReport& report,
                             std::optional<double> tolerance, const RunContext& context);

}  // namespace synthoscope::score
