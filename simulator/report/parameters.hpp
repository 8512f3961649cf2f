// SPDX-License-Identifier: MIT
// simulator/report/parameters.hpp — every key of a scene with its value, unit and meaning.
#pragma once
#include <string>
#include "core/base/json_fwd.hpp"

namespace synthoscope::simulator {

/// Tables of HTML, one per table of the scene. @param record  what scene.json holds.
std::string parameters(const Json& record);

}  // namespace synthoscope::simulator
