// SPDX-License-Identifier: MIT
// fit/shapes/fit_shapes.hpp — STAGE.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

Findings fit_shapes(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
