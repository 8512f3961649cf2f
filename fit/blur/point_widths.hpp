// SPDX-License-Identifier: MIT
// fit/blur/point_widths.hpp — widths of isolated bright points.
#pragma once
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Full widths at half maximum of a point, by a Gaussian that was fitted to it.
struct PointWidth {
  double lateral_um = 0;  ///< root of the product of those along y and x
  double axial_um = 0;    ///< 0 in one plane
};

/// Returns the widths of points that are neither cut, saturated, close to others, nor much wider or
/// narrower than most; none if there are none. @throws PlanError, Interrupted
std::vector<PointWidth> point_widths(const LabelledImage& image, const RunContext& context);

}  // namespace synthoscope::fit
