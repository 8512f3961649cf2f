// SPDX-License-Identifier: MIT
// fit/run/camera_errors.hpp — what is not known of the camera is not known of the light.
#pragma once
#include <vector>
#include "fit/estimates/findings.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Widens the intervals of photons: they were found with one gain and one offset, whose own
/// intervals add in quadrature. An error of the gain changes all photons by a factor, one of the
/// offset the photons of the background.
/// @param scene  the fitted scene
void widen_by_camera(const simulator::SceneSpec& scene, std::vector<Findings>& findings);

}  // namespace synthoscope::fit
