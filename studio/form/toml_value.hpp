// SPDX-License-Identifier: MIT
// studio/form/toml_value.hpp — a value of the form as TOML.
#pragma once
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Returns a value as TOML.
/// @param value  a number, a text, true, false or a list of these
/// @param name   of the key, for messages
/// @throws InvalidSpec  it is something else.
std::string toml_value(const Json& value, std::string_view name);

}  // namespace synthoscope::studio
