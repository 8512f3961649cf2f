// SPDX-License-Identifier: MIT
// fit/edges/edge_profiles.hpp — grey levels across the borders of labelled objects, in the plane
// and along z.
#pragma once
#include <vector>
#include "fit/edges/signed_bins.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Returns an edge for each object that has a clear one, of its planes near its largest section:
/// the mean over eight sectors around its middle, each shifted to where its level is half. So a
/// label that is too large, too small or shifted gives the same edge; one whose border trembles
/// from pixel to pixel gives a softer one. Pixels nearer to another object are left out.
/// @param reach  in pixels along x, at least 1
std::vector<ObjectEdge> lateral_edges(const LabelledImage& image, double reach);

/// Returns an edge along z for each object that has a clear one, of both its ends: the mean over
/// columns through its middle.
/// @param reach  in planes, at least 1
std::vector<ObjectEdge> axial_edges(const LabelledImage& image, double reach);

}  // namespace synthoscope::fit
