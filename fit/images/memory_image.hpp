// SPDX-License-Identifier: MIT
// fit/images/memory_image.hpp — an image in memory where the comparison of images expects a file.
#pragma once
#include "fit/images/labelled_image.hpp"
#include "textures/two_sample/measure_images.hpp"

namespace synthoscope::fit {

/// Returns an image that is opened from memory. `image` must outlive it.
textures::ImageToMeasure image_to_measure(const LabelledImage& image);

}  // namespace synthoscope::fit
