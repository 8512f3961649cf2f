// SPDX-License-Identifier: MIT
// simulator/report/parameters.hpp — every key of a scene with its value, unit and meaning.
#pragma once
#include <string>
#include "core/base/json_fwd.hpp"

namespace synthoscope::simulator {

/// Returns HTML tables, one per table of the scene. @param record  content of scene.json.
std::string parameters(const Json& record);

}  // namespace synthoscope::simulator
