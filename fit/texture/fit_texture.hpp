// SPDX-License-Identifier: MIT
// fit/texture/fit_texture.hpp — the stain within objects, from the statistics of their texture.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Chooses the kind of nuclei whose stain is nearest to the real one, and then moves the keys of
/// the stain until the texture of simulated objects has the statistics of real ones (match,
/// texture_statistics). Shapes, light, optics and camera stay. A key that changes no statistic
/// clearly stays where it was, and is `assumed`.
/// @throws Interrupted
Findings fit_texture(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
