// SPDX-License-Identifier: MIT
// simulator/scene/file/toml.hpp — keys of a scene and their values in TOML, and the messages for
// wrong ones.
#pragma once
#include <toml++/toml.h>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {

inline constexpr int kMaxKeyParts = 8;  ///< keys of scenes have fewer

/// Returns where in TOML a key of more than kMaxKeyParts parts begins, or npos. Tables of such a
/// key would nest so deep that recursive parsers run out of stack.
/// @source  TOML 1.0.0, Keys and Strings.
std::size_t deep_key(std::string_view toml);

/// The place where a value was written, for messages: "first.toml, line 3" or "--set".
struct TomlPlace {
  std::string name;
  bool has_lines = true;
  [[nodiscard]] std::string at(const toml::node& node) const { return at(node.source()); }
  [[nodiscard]] std::string at(const toml::source_region& source) const {
    return has_lines ? fmt::format("{}, line {}", name, source.begin.line) : name;
  }
};

/// Returns the place of what `path` holds: a scene.json has no lines of TOML.
TomlPlace place_of(const std::filesystem::path& path);

/// Reads a TOML file, or the scene of a scene.json as TOML.
/// @throws IoError      the file is missing or cannot be read.
/// @throws InvalidSpec  it is too large for a scene, an image, or another JSON file.
std::string read_toml_text(const std::filesystem::path& path);

/// @throws InvalidSpec  `text` is not TOML: says where.
toml::table parsed_toml(std::string_view text, const TomlPlace& place);

/// An entry of a table.
struct TomlEntry {
  const toml::key* key = nullptr;
  const toml::node* node = nullptr;
  [[nodiscard]] std::string name() const { return std::string{key->str()}; }
};

/// Returns the entries of a table as they follow each other in the file: a toml::table sorts them
/// by name.
std::vector<TomlEntry> entries_in_order(const toml::table& table);

/// Returns the text of a value in the file, shortened.
std::string written(const toml::node& node);

/// Returns the key of a table; "" is the top of the file. @throws InvalidSpec as
/// refuse_unknown_key.
const SceneKey& key_of(const std::string& table, const std::string& name,
                       const toml::source_region& at, const TomlPlace& place);

/// Returns the value as the key has it, for callers that keep it elsewhere. @throws InvalidSpec  as
/// set_key.
SceneValue read_value(const SceneKey& key, const toml::node& node, const TomlPlace& place);

/// @throws InvalidSpec  the value has another kind or is outside the key's range.
void set_key(SceneSpec& scene, const SceneKey& key, const toml::node& node, const TomlPlace& place);

}  // namespace synthoscope::simulator
