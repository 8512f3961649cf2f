// SPDX-License-Identifier: MIT
// fit/texture/fit_texture.hpp — the stain within objects, from the statistics of patches.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Chooses the kind of nuclei whose stain is nearest to the real one, and then moves the keys of
/// the stain until patches of simulated images are as near as possible (TextureDistance), with the
/// same random numbers in all simulations. Shapes, light, optics and camera stay.
///
/// The interval of a key has the values at which the distance is larger than the smallest one by
/// less than it scatters between equal scenes of different seeds. A key whose interval is as wide
/// as its prior is `assumed`.
/// @throws Interrupted
Findings fit_texture(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
