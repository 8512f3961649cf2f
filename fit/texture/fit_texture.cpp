// SPDX-License-Identifier: MIT
#include "fit/texture/fit_texture.hpp"

namespace synthoscope::fit {

Findings fit_texture(const StageTask& /*task*/, simulator::SceneSpec& /*scene*/) {
  Findings found;
  found.stage = Stage::texture;
  return found;
}

}  // namespace synthoscope::fit
