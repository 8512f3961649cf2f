// SPDX-License-Identifier: MIT
#include "fit/camera/fit_camera.hpp"

namespace synthoscope::fit {

Findings fit_camera(const StageTask& /*task*/, simulator::SceneSpec& /*scene*/) {
  Findings found;
  found.stage = Stage::camera;
  return found;
}

}  // namespace synthoscope::fit
