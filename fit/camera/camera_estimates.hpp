// SPDX-License-Identifier: MIT
// fit/camera/camera_estimates.hpp — keys of [camera] from the line of the noise.
#pragma once
#include <set>
#include <string>
#include "fit/camera/camera_noise.hpp"
#include "fit/estimates/findings.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Returns whether the variance grows with the light, beyond its error.
bool grows_with_light(const CameraNoise& noise);

/// Gives the scene the keys kind, gain_dn_per_electron, offset_dn, read_noise_electrons and their
/// spreads, as far as they are free, and adds their estimates, and what is not told, to `found`.
///
/// The variance of a pixel that is read out is, for a mean m, with offset o, read noise s (e-),
/// gain K (DN/e-), excess noise F^2 and the variance r^2 of rounding and p^2 of the offsets:
///
///     K F^2 (m - o) + K^2 s^2 + r^2 + p^2 + (g (m - o))^2,      g: spread of gains
///
/// so that slope and zero of the line are K F^2 and o - (K^2 s^2 + r^2 + p^2) / (K F^2). With
/// either o or s given, the other follows; with none, s lies between 0 and what the darkest tile
/// allows. F^2 is 1, for an EMCCD of gain M it is 2 M - 1: only the product with K is told.
/// @source Heintzmann et al., arXiv:1611.05654 (2016); EMVA Standard 1288, Release 4.0 (2021);
///         Robbins, Hadwen, IEEE Trans. Electron Devices 50 (2003) 1227,
///         doi:10.1109/TED.2003.813462 (excess noise)
void estimate_camera(const CameraNoise& noise, const std::set<std::string>& fixed,
                     simulator::SceneSpec& scene, Findings& found);

}  // namespace synthoscope::fit
