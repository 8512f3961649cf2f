// SPDX-License-Identifier: MIT
// imageio/small/ics_source.hpp — the voxels of an Image Cytometry Standard file.
#pragma once
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// Reads the header. Raw voxels are read where they are asked for; packed ones when the stack is
/// opened, and are held.
/// @throws IoError       the file of the voxels is missing or cannot be read.
/// @throws InvalidInput  as read_ics_header. As the stack is opened: the file holds fewer voxels
///                       than the header says, is broken, or the header says more than --max-ratio
///                       times what lies there.
ImageStacks read_ics(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio
