// SPDX-License-Identifier: MIT
// simulator/scene/key_words.hpp — a key of a scene in words, and keys by a word.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {

/// Returns what a key holds: "number", "file name", "\"flat\" or \"random\"".
std::string type_words(const SceneKey& key);

/// Returns the default of a key as TOML. Defaults that other kinds choose follow. If a key has no
/// default, returns what holds if it is absent.
/// @param quote  stands before and after each value
std::string default_words(const SceneKey& key, std::string_view quote = "");

/// Returns a line of a scene file that gives the key: "nuclei.gap_um = 0.3", with its default, or
/// with a value in its range if it has none.
std::string example_line(const SceneKey& key);

/// Returns the keys whose full name, help or unit hold every word of `text`, in any case: first
/// those whose name holds them, each in the order of the reference.
std::vector<const SceneKey*> keys_about(std::string_view text);

}  // namespace synthoscope::simulator
