// SPDX-License-Identifier: MIT
// imageio/ome_planes.hpp — places the planes of an OME image in the pages of a set of files.
#pragma once
#include "imageio/ome_xml.hpp"
#include "imageio/tiff_stacks.hpp"

namespace synthoscope::imageio {

/// Fills `stacks` (whose first file carries the XML) with the planes that `image` declares, and
/// opens the other files of the set: only ones in the same folder.
/// @throws InvalidInput  a plane is missing, declared outside the image, or in a file elsewhere.
/// @throws IoError       a file of the set is missing.
void place_ome_planes(const OmeImage& image, const InputLimits& limits, TiffStacks& stacks);

}  // namespace synthoscope::imageio
