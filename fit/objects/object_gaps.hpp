// SPDX-License-Identifier: MIT
// fit/objects/object_gaps.hpp — how far objects are from their nearest neighbours.
#pragma once
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/objects/labelled_object.hpp"
#include "fit/objects/object_form.hpp"

namespace synthoscope::fit {

/// Sets gap_um and touching of every object. Gaps are the distances between the boxes of the two
/// nearest voxels, so that voxels that touch by a face, an edge or a corner are 0 apart.
/// @param surfaces  of each object
void measure_gaps(LabelledObjects& all, const std::vector<std::vector<SurfaceVoxel>>& surfaces,
                  const RunContext& context);

}  // namespace synthoscope::fit
