// SPDX-License-Identifier: MIT
// simulator/scene/unknown_key.hpp — the error when a scene names a key that does not exist.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

/// Returns the tables of a scene, in the order of the reference.
std::vector<std::string> scene_table_names();

/// @throws InvalidSpec always, with the nearest table or all; `where` is "first.toml, line 3".
[[noreturn]] void refuse_unknown_table(std::string_view name, const std::string& where);

/// @throws InvalidSpec always: names the same key with its right unit, the nearest keys, the table
/// that the key belongs to, or all keys of `table`.
[[noreturn]] void refuse_unknown_key(const std::string& table, const std::string& name,
                                     const std::string& where);

/// Throws the same for a whole name that is no key, such as "optics.nq" or "channel.gfp.optics.nq".
[[noreturn]] void refuse_unknown_name(const std::string& full, const std::string& where);

}  // namespace synthoscope::simulator
