// SPDX-License-Identifier: MIT
// tools/show/label_image.hpp — tells numbers of objects from light.
#pragma once
#include "core/volume/pixel_type.hpp"
#include "simulator/pictures/slices.hpp"

namespace synthoscope::tools {

/// Returns whether voxels are numbers of objects: integers of two values or more beside that of
/// the background, which is the most frequent one; where neighbours are both of objects, they are
/// mostly equal, and most voxels of objects have such a neighbour. In images of light, neighbours
/// differ by their noise.
bool are_labels(const simulator::Slice& slice, PixelType type);

}  // namespace synthoscope::tools
