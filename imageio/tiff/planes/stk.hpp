// SPDX-License-Identifier: MIT
// imageio/tiff/planes/stk.hpp — places the planes of a MetaMorph stack (STK), which follow its one
// page.
#pragma once
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {

/// Fills `stacks`, whose file has one page of full size, `page`, with the planes that the tag UIC2
/// counts. They are z where every plane has a distance, and t where the times differ.
/// @throws InvalidInput  the planes are compressed, or the file is too short for them.
/// @source  MetaMorph Stack (STK) Image File Format, Molecular Devices; tifffile 2023, _series_stk
AxesOfFile place_stk_planes(std::int64_t page, const InputLimits& limits, TiffStacks& stacks);

}  // namespace synthoscope::imageio
