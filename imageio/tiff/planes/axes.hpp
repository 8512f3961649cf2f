// SPDX-License-Identifier: MIT
// imageio/tiff/planes/axes.hpp — puts the planes of a TIFF file into the order of its stacks.
#pragma once
#include <string>
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

/// Sorts `stacks.planes`, which are in the order of storage, by frame, channel and z, and sets the
/// sizes and axes of `stacks.info`. `planes` describes the axes of the planes without y and x;
/// `given` is the option --axes.
/// @throws InvalidSpec, InvalidInput  as axes_of_array.
void sort_planes(AxesOfFile planes, const std::string& given, TiffStacks& stacks);

}  // namespace synthoscope::imageio
