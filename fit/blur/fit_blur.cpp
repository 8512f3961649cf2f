// SPDX-License-Identifier: MIT
#include "fit/blur/fit_blur.hpp"

namespace synthoscope::fit {

Findings fit_blur(const StageTask& /*task*/, simulator::SceneSpec& /*scene*/) {
  Findings found;
  found.stage = Stage::blur;
  return found;
}

}  // namespace synthoscope::fit
