// SPDX-License-Identifier: MIT
// simulator/measurement/bead_size.hpp — takes the size of beads out of their image.
#pragma once
#include "core/base/units.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {

/// Makes the image of a point of the image of an evenly filled ball, and scales its middle voxel
/// to 1. A PsfCore is fitted so that its image of the ball equals the image; then the core replaces
/// that image. The rest is divided by the spectrum of the ball, but only at frequencies where the
/// image exceeds its noise, so that noise does not grow.
/// @param image        a bead in its middle voxel, whose peak is 1
/// @param fwhm_um      its widths along z, y and x
/// @param noise        standard deviation of its voxels
/// @param diameter_um  of the ball, > 0
/// @throws InvalidSpec  the ball is longer than 8 voxels along an axis.
/// @source the spectrum of a ball: Bracewell, The Fourier Transform and Its Applications,
/// chapter 13.
void remove_bead_size(Volume<float>& image, const VoxelSize& pitch, const AlongAxes& fwhm_um,
                      double noise, double diameter_um, const RunContext& context);

}  // namespace synthoscope::simulator
