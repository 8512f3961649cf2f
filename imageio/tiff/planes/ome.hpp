// SPDX-License-Identifier: MIT
// imageio/tiff/planes/ome.hpp — places the planes of an OME image in the pages of a set of files.
#pragma once
#include "imageio/tiff/planes/ome_xml.hpp"
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

/// Fills `stacks`, whose first file carries the XML or is described by a companion file, with the
/// planes that `image` declares, and opens the other files of the set: only ones in the same
/// folder. Frames at the end that no page holds are left out with a note, as an acquisition that
/// was stopped leaves them. Returns the axes of the planes.
/// @throws InvalidInput  a plane is missing, declared outside the image, or in a file elsewhere, or
///                       the document describes other files than this one.
/// @throws IoError       a file of the set is missing.
AxesOfFile place_ome_planes(const OmeImage& image, const InputLimits& limits, TiffStacks& stacks);

}  // namespace synthoscope::imageio
