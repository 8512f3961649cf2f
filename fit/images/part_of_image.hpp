// SPDX-License-Identifier: MIT
// fit/images/part_of_image.hpp — parts of images: halves, of which one is held out, and planes.
#pragma once
#include <utility>
#include "core/run/run_context.hpp"
#include "core/volume/box.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Returns a copy of a part, with its own grid. @throws PlanError  the memory has no room.
LabelledImage part_of(const LabelledImage& image, const Box3& part, const RunContext& context);

/// Returns copies of images. @throws PlanError  the memory has no room.
LabelledImages copies_of(const LabelledImages& images, const RunContext& context);

/// Returns the sharpest plane of an image (textures::sharpest_plane), and its labels.
LabelledImage sharpest_plane_of(const LabelledImage& image, const RunContext& context);

/// Images to fit, and others to judge the twin by.
struct HeldOut {
  LabelledImages fitted, tested;
  bool is_half = false;  ///< of the only image
};

/// Holds out the last of several images; of a single one the half with larger y or x, along its
/// longer side.
HeldOut hold_out(LabelledImages images, const RunContext& context);

}  // namespace synthoscope::fit
