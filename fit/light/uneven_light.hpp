// SPDX-License-Identifier: MIT
// fit/light/uneven_light.hpp — how unevenly light lies over field and objects: what real images
// have beyond an even twin.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/light/light_twin.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Measures of real images, and of twins with the same light but evenly spread (even_scene). Their
/// difference is what is sought: haze and blur have the same part in both.
struct UnevenLight {
  const Statistics& real;
  const Statistics& even;
  const FieldFit& real_field;
  const FieldFit& even_field;
  double background_dn = 0;  ///< that the scene's background adds to a pixel
  double objects = 0;        ///< of the real images
};

/// Each gives its keys to the scene, if they are free and what was found is no chance, and reports
/// them. What is not significant becomes 0, and its interval says up to what it may be.
void find_gradient(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                   Findings& found);
void find_field(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                Findings& found);
void find_grain(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                Findings& found);

/// Spread of brightness among objects, and its correlation with size. One more scene is simulated
/// if there is a spread: labels of sections show less of a correlation than there is.
void find_spread(const UnevenLight& light, const LightKeys& keys, const LightTwin& twin,
                 const StageTask& task, simulator::SceneSpec& scene, Findings& found);

}  // namespace synthoscope::fit
