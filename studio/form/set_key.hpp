// SPDX-License-Identifier: MIT
// studio/form/set_key.hpp — one key of a scene is changed in the text of its file; comments, order
// and all other text stay.
#pragma once
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Returns the text of a scene in which one key has another value. A key that is not given follows
/// the last key of its table; a table that is not there is added at the end. null removes the key
/// and, except in an inline table, the rest of its line. Keys of channels and of [sweep] stay.
/// The value need not be right for the key: see check_json.
/// @param full_name  such as "optics.na"
/// @param value      a number, a text, true, false, a list of these, or null
/// @throws InvalidSpec  there is no such key, the text is not TOML, the value is something else, or
///                      the table of the key is not a table.
std::string set_key(std::string_view toml, std::string_view full_name, const Json& value);

}  // namespace synthoscope::studio
