// SPDX-License-Identifier: MIT
#include "fit/shapes/fit_shapes.hpp"

namespace synthoscope::fit {

Findings fit_shapes(const StageTask& /*task*/, simulator::SceneSpec& /*scene*/) {
  Findings found;
  found.stage = Stage::shapes;
  return found;
}

}  // namespace synthoscope::fit
