// SPDX-License-Identifier: MIT
// simulator/measurement/second_spot.hpp — finds a second bead in an image.
#pragma once
#include <optional>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {

/// Returns the brightest voxel that belongs to another bead than the peak: of 3 x 3 x 3 voxels
/// whose mean is at least a quarter of that at the peak, the largest among its neighbours, and
/// farther from the peak along y or x than four times its width. Side lobes and rings of a PSF are
/// dimmer or nearer.
/// @param background  of each voxel
std::optional<Index3> second_spot(const Volume<float>& voxels, const VoxelSize& pitch,
                                  double background = 0);

}  // namespace synthoscope::simulator
