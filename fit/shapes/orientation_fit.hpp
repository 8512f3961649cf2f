// SPDX-License-Identifier: MIT
// fit/shapes/orientation_fit.hpp — how objects are turned: flat on the glass, or in any way.
#pragma once
#include <optional>
#include "fit/estimates/findings.hpp"
#include "fit/shapes/shape_case.hpp"

namespace synthoscope::fit {

/// How the long axes of objects lie.
struct AxisDirections {
  std::size_t objects = 0;  ///< whole and long enough to have a direction
  double upright = 0;       ///< mean of |z| of the long axes: 0 flat, 0.5 in any direction
  /// Length of the mean of exp(2 i angle) of the long axes in a plane, 0 to 1, and half the angle
  /// of that mean, from x towards y, degrees.
  double alignment = 0, degrees = 0;
};
AxisDirections axis_directions(const ObjectSets& sets);

/// Returns whether objects lie flat; nothing if too few of them tell, or if they do neither.
std::optional<simulator::Orientation> told_orientation(const AxisDirections& directions);

/// Gives a scene of a stack the orientation that its labels tell, if the key is free and not given.
/// Says if the axes are aligned, which no key makes.
void choose_orientation(ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found);

}  // namespace synthoscope::fit
