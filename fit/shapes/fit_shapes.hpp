// SPDX-License-Identifier: MIT
// fit/shapes/fit_shapes.hpp — number, size, form and places of objects, from their labels.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Fits the shapes of the first of [nuclei], [cells] and [adherent] that the scene has: the
/// orientation, the density, the mean radius and its spread, axes, roughness, asymmetry and dents,
/// the smallest gap, clustering and the width of clusters.
/// Labels of twins are measured as the real ones are, so that what labels hide, such as parts of
/// objects beyond the field, acts alike on both. Images without labels are segmented, roughly.
Findings fit_shapes(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
