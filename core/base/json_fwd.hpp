// SPDX-License-Identifier: MIT
// core/base/json_fwd.hpp — the name of a JSON value, for headers that only pass it on.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace synthoscope {

using Json = nlohmann::ordered_json;

}  // namespace synthoscope
