// SPDX-License-Identifier: MIT
// textures/patches/patch_detail.hpp — spots and noise of a patch.
#pragma once
#include "textures/patches/grey_plane.hpp"
#include "textures/patches/statistic_list.hpp"

namespace synthoscope::textures {

/// Adds 2 % (its negative) and 98 % quantiles of differences of Gaussians of two sizes, and the
/// numbers of dark and bright extrema of the finer one.
void add_spots(const GreyPlane& patch, StatisticList& list);

/// Adds noise from second differences along both axes, its kurtosis, and how it grows with light.
/// @source Immerkaer, Comput. Vis. Image Underst. 64 (1996) 300, doi:10.1006/cviu.1996.0060.
void add_noise(const GreyPlane& patch, StatisticList& list);

}  // namespace synthoscope::textures
