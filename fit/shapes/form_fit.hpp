// SPDX-License-Identifier: MIT
// fit/shapes/form_fit.hpp — sizes, axes and surfaces of objects.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/shapes/shape_case.hpp"

namespace synthoscope::fit {

/// Gives a scene radius and axes as the labels have them: where the search for them begins.
void start_form(const ShapeCase& shapes, simulator::SceneSpec& scene);

/// Moves radius, axes and roughness of a scene, and how they vary, until form_statistics of twins
/// are those of the real objects. Fewer than five whole objects tell sizes only.
void fit_form(const ShapeCase& shapes, double seconds, simulator::SceneSpec& scene,
              Findings& found);

}  // namespace synthoscope::fit
