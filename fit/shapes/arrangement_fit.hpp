// SPDX-License-Identifier: MIT
// fit/shapes/arrangement_fit.hpp — how many objects there are, and how they lie beside each other.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/shapes/shape_case.hpp"

namespace synthoscope::fit {

/// Gives a scene the density with which its images show as many objects as the real ones do.
void fit_density(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found);

/// Adds the estimate of the density, which is known as well as that of objects placed independently
/// of each other.
void report_density(const ShapeCase& shapes, const simulator::SceneSpec& scene, Findings& found);

/// Finds the smallest gap, the clustering and the width of clusters with which
/// arrangement_statistics of twins are those of the real objects, from many single scenes: places
/// of objects jump when these keys change.
void fit_arrangement(const ShapeCase& shapes, double seconds, simulator::SceneSpec& scene,
                     Findings& found);

}  // namespace synthoscope::fit
