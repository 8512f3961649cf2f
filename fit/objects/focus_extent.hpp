// SPDX-License-Identifier: MIT
// fit/objects/focus_extent.hpp — where objects of wide-field stacks end along z.
#pragma once
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Cuts labels of a stack to the planes in which their objects are in focus. In a wide-field stack
/// each plane has the same light, so that brightness does not tell where an object ends, but its
/// fine structure fades: between the planes in which it has half of its amplitude the object is
/// taken as an ellipsoid over its outline in the sharpest plane. Structure is what is between 1.5
/// and 4 pixels wide, inside of the border; the product of neighbouring planes is free of noise.
/// Objects that are in focus in more than three quarters of their planes stay as they are, and so
/// do those without structure.
/// @param image  with counts; its labels are not used
void cut_to_focus(const LabelledImage& image, Volume<std::uint32_t>& labels,
                  const RunContext& context);

/// Bytes for each voxel that cut_to_focus takes.
inline constexpr std::int64_t kBytesOfFocus = 16;

}  // namespace synthoscope::fit
