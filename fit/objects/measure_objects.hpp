// SPDX-License-Identifier: MIT
// fit/objects/measure_objects.hpp — measures the objects of a labelled image.
#pragma once
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"
#include "fit/objects/labelled_object.hpp"

namespace synthoscope::fit {

/// Measures every object: moments in one pass over the voxels, then form and surface within the box
/// of each. Results do not depend on the number of threads.
/// @pre image.has_labels()
/// @throws Interrupted  context.stop was set.
/// @throws PlanError    the memory budget does not hold the surfaces, for which 12 bytes for each
///                      voxel of an object are set aside.
LabelledObjects measure_objects(const LabelledImage& image, const RunContext& context);

}  // namespace synthoscope::fit
