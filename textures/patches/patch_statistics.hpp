// SPDX-License-Identifier: MIT
// textures/patches/patch_statistics.hpp — what a patch looks like, as numbers that can be named.
#pragma once
#include <cstdint>
#include "textures/patches/grey_plane.hpp"
#include "textures/patches/statistic_table.hpp"

namespace synthoscope::textures {

/// Sides that patch_statistics() takes: smaller ones have no wave of every band, and larger ones
/// take seconds.
inline constexpr std::int64_t kLeastPatchSide = 16, kMostPatchSide = 256;

/// Returns the statistics of a patch with normalised levels. Nothing outside the patch is used.
///
/// Moments and percentiles (minus the median); mean slope of the patch blurred by 1 and 3 pixels,
/// and its 95 % quantile over its median (concentration); power in half octaves of wavelength, with
/// Hann's window; coherence of the structure tensor; squared differences along rows over those
/// along columns; standard deviations in windows of 5 and 9 pixels, and their coefficient of
/// variation; autocorrelation at 1 and 2 pixels, and log2 of the distance at which it falls to 1/2;
/// 2 % and 98 % quantiles of differences of Gaussians, and the number of their extrema; noise from
/// second differences along both axes, its kurtosis, and how it grows with light; equal neighbours.
/// Logarithms have a floor of 1e-4 of the objects' level.
/// @source Immerkaer, Comput. Vis. Image Underst. 64 (1996) 300, doi:10.1006/cviu.1996.0060
/// (noise).
/// @param patch  square, kLeastPatchSide to kMostPatchSide pixels a side
PatchStatistics patch_statistics(const GreyPlane& patch);

}  // namespace synthoscope::textures
