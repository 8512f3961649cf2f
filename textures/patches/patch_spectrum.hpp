// SPDX-License-Identifier: MIT
// textures/patches/patch_spectrum.hpp — power of a patch in bands of wavelength.
#pragma once
#include "textures/patches/grey_plane.hpp"
#include "textures/patches/statistic_list.hpp"

namespace synthoscope::textures {

/// Adds the logarithms of the mean power, with Hann's window, in the corners of the spectrum beyond
/// half a cycle a pixel, in six half octaves from there on, and below.
/// @param patch  square
/// @param mean   of its values
void add_spectrum(const GreyPlane& patch, double mean, StatisticList& list);

}  // namespace synthoscope::textures
