// SPDX-License-Identifier: MIT
// tools/show/label_image.hpp — recognises images of labels.
#pragma once
#include "simulator/pictures/slices.hpp"

namespace synthoscope::tools {

/// Returns whether voxels are numbers of objects. They are if
/// * they are whole numbers, with two values or more in addition to the most frequent one, which is
/// that
///   of the background;
/// * most voxels of objects have an equal neighbour;
/// * few neighbours of one object belong to another. In images of light, noise makes them differ.
bool are_labels(const simulator::Slice& slice);

}  // namespace synthoscope::tools
