// SPDX-License-Identifier: MIT
// studio/form/set_key.hpp — one key of a scene, or of one of its channels, is changed in the text
// of its file; comments, order and all other text stay.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::studio {

/// Returns the text of a scene in which one key has another value. A key that is not given follows
/// the last key of its table. A table that is not there is added at the end; in a channel the key
/// is written with its table, as "optics.na = 1.2". null removes the key and, except in an inline
/// table, the rest of its line. Keys of other channels and of [sweep] stay. The value need not be
/// right for the key: see check_json.
/// @param full_name  such as "optics.na"; in a channel also "name"
/// @param value      a number, a text, true, false, a list of these, or null
/// @param channel    place of the [[channel]] whose key it is, from 0; none: the scene itself
/// @throws InvalidSpec  there is no such key or channel, the text is not TOML, the value is
///                      something else, or the table of the key is not a table.
std::string set_key(std::string_view toml, std::string_view full_name, const Json& value,
                    std::optional<std::size_t> channel = std::nullopt);

}  // namespace synthoscope::studio
