// SPDX-License-Identifier: MIT
// fit/shapes/field_layout.hpp — where the objects of a twin may lie: in and around the field, on a
// layer or anywhere.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/shapes/shape_case.hpp"

namespace synthoscope::fit {

/// Sets masks, margin, border and arrangement of a scene, where they are neither fixed nor given:
/// objects of real images go on beyond the field unless none of them is cut. A plane shows nuclei
/// of a layer, their whole shadow, and has light from above and below.
void lay_out_field(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found);

}  // namespace synthoscope::fit
