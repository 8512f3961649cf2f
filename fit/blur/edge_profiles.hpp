// SPDX-License-Identifier: MIT
// fit/blur/edge_profiles.hpp — grey levels across the borders of labelled objects, in the plane and
// along z.
#pragma once
#include <vector>
#include "fit/blur/signed_bins.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Returns an edge for each object that has a clear one, of its planes near its largest section:
/// the mean over eight sectors around its middle, each shifted to where its level is half. So a
/// label that is too large, too small or shifted gives the same edge; one whose border trembles
/// from pixel to pixel gives a softer one. Pixels nearer to another object are left out.
/// @param reach  in pixels along x, at least 1
std::vector<EdgeProfile> lateral_edges(const LabelledImage& image, double reach);

/// Returns an edge along z for each object that has a clear one, of both its ends: the mean over
/// columns through its middle.
/// @param reach  in planes, at least 1
std::vector<EdgeProfile> axial_edges(const LabelledImage& image, double reach);

/// Returns the depths of objects, from their border to their innermost pixel, in pixels; and half
/// their thickness along z, in planes.
struct ObjectDepth {
  double pixels = 0, planes = 0;
};
std::vector<ObjectDepth> object_depths(const LabelledImage& image);

}  // namespace synthoscope::fit
