// SPDX-License-Identifier: MIT
// fit/images/grown_labels.hpp — labels that are made larger or smaller.
#pragma once
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Moves the borders of objects within their planes: outwards, up to another object, if `um` is
/// above 0, otherwise inwards from the background. A pixel belongs to an object if its middle does.
/// An object that is too small for it disappears.
void grow_labels(LabelledImage& image, double um);

}  // namespace synthoscope::fit
