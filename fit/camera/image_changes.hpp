// SPDX-License-Identifier: MIT
// fit/camera/image_changes.hpp — recognises images that are no longer what the camera recorded.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "fit/camera/grey_levels.hpp"
#include "fit/camera/noise_band.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Larger shares of clipped voxels are refused.
inline constexpr double kMostCutBelow = 0.05, kMostSaturated = 0.02;

/// Returns why the grey levels of an image, and the order of its pixels, are not a camera's, as a
/// sentence; nothing if they may be. In this order: values that are no whole numbers; a comb of
/// missing or doubled levels, as a stretched contrast leaves it; blocks of 8 x 8 pixels; too many
/// equal neighbours, as copied pixels and a median filter leave them; a clipped background;
/// saturated objects.
/// @param counts_light  the camera counts photons: then zeros are no sign of clipping
/// @source missing levels: Stamm, Liu, IEEE Trans. Inf. Forensics Secur. 5 (2010) 492,
///         doi:10.1109/TIFS.2010.2053202; blocks: Fan, de Queiroz, IEEE Trans. Image Process. 12
///         (2003) 230, doi:10.1109/TIP.2002.807361; equal neighbours: Kirchner, Fridrich, Proc.
///         SPIE 7541 (2010) 754110, doi:10.1117/12.839100
std::optional<std::string> change_of_pixels(const LabelledImage& image, const GreyLevels& levels,
                                            bool counts_light);

/// Returns why the noise is not a camera's, as a sentence: it is not white, it is stronger in short
/// waves than in long ones, or nothing is left but rounding.
/// @param tiles  of all images; @param rounding  its variance, DN^2
std::optional<std::string> change_of_noise(const std::vector<NoiseTile>& tiles,
                                           const NoiseBand& band, double rounding);

}  // namespace synthoscope::fit
