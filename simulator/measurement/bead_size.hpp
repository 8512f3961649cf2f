// SPDX-License-Identifier: MIT
// simulator/measurement/bead_size.hpp — takes the size of beads out of their image.
#pragma once
#include "core/base/units.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {

/// Takes the size of a ball, filled evenly with light, out of the image of one, and scales the
/// middle voxel to 1. A PsfCore whose image of the ball fits best takes its place. The spectrum of
/// the ball is taken out of what this leaves; where the image does not stand out from its noise,
/// nothing is, so that noise does not grow.
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
