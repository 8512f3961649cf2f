// SPDX-License-Identifier: MIT
#include "fit/light/fit_light.hpp"

namespace synthoscope::fit {

Findings fit_light(const StageTask& /*task*/, simulator::SceneSpec& /*scene*/) {
  Findings found;
  found.stage = Stage::light;
  return found;
}

}  // namespace synthoscope::fit
