// SPDX-License-Identifier: MIT
// fit/edges/label_outset.hpp — labels that are drawn smaller or larger than their objects.
#pragma once
#include <vector>
#include "fit/edges/edge_profiles.hpp"

namespace synthoscope::fit {

/// Returns how much farther out the edges of real objects lie from their labels than those of
/// twins, whose labels are exact; 0 if that is less than a quarter of a pixel or may be chance.
/// Blur and the form of objects shift both alike.
/// @return in the unit of ObjectEdge::outset; above 0 if labels are too small
double clear_outset(const std::vector<ObjectEdge>& real, const std::vector<ObjectEdge>& twin);

}  // namespace synthoscope::fit
