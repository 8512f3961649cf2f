// SPDX-License-Identifier: MIT
// fit/light/fit_light.hpp — how much light comes from where: background, its unevenness, brightness
// of objects and how it varies.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Fits the light of a scene to images with labels, through the scene's optics and camera, with
/// objects of its shapes:
/// 1. background.photons_per_pixel and the brightness of objects (for [cells] of membrane,
///    cytoplasm and nucleus apart), and illumination.falloff and medium.emission_length_um if they
///    are significant, by simulating evenly lit twins until their background far from labels and
///    their objects' counts above the surroundings are those of the real images;
/// 2. from what real images have beyond this twin: gradient, smooth field and grain of the
///    background, spread of brightness among objects and its correlation with size.
/// Terms that are not significant become 0. Of large scenes a smaller part is simulated.
/// @throws Interrupted, and what TwinImages::image throws for the scene to begin with
Findings fit_light(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
