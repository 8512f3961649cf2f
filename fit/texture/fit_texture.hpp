// SPDX-License-Identifier: MIT
// fit/texture/fit_texture.hpp — STAGE.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

Findings fit_texture(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
