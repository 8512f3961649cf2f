// SPDX-License-Identifier: MIT
// fit/blur/blur_plan.hpp — which numbers of real images tell of their optics.
#pragma once
#include "core/run/run_context.hpp"
#include "fit/blur/blur_statistics.hpp"
#include "fit/images/labelled_image.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Chooses what is measured, by what the real images have:
///  - points, if the scene has beads, and three of them or more are isolated, and nothing else;
///  - otherwise edges, if there are labels: the reach is the distance over which real edges fall
///  from
///    0.9 to 0.1, but not more than objects are deep; and halos, if there is background enough;
///  - and the spectrum, in bands where signal exceeds noise.
/// @throws PlanError, Interrupted
BlurMeasure plan_blur_measure(const LabelledImages& real, const simulator::SceneSpec& scene,
                              const RunContext& context);

}  // namespace synthoscope::fit
