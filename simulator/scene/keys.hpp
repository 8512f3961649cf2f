// SPDX-License-Identifier: MIT
// simulator/scene/keys.hpp — the one table of a scene's keys: reading, printing and the reference
// all follow it.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "simulator/base/range.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

struct SceneKey {
  std::string table, name;  ///< the table is empty for keys at the top
  std::string unit;         ///< empty for pure numbers, names and switches
  ValueKind kind = ValueKind::number;
  std::string choices;             ///< for ValueKind::choice and text_or_number
  std::vector<std::string> names;  ///< the words of these, one by one
  std::optional<Range> range;      ///< of each number
  std::string help;
  bool optional = false;  ///< may be absent; then `absent` says what holds
  std::string absent;
  /// Also sets other keys of its table, so it is read before them: see give(). Their defaults
  /// depend on its value.
  bool chooses_defaults = false;
  std::function<SceneValue(const SceneSpec&)> get;
  std::function<void(SceneSpec&, const SceneValue&)> set;  ///< @throws InvalidSpec "is ...; give"

  [[nodiscard]] std::string full_name() const { return table.empty() ? name : table + "." + name; }
  /// Returns " (um)", for messages; empty for pure numbers, names and switches.
  [[nodiscard]] std::string unit_note() const {
    return unit.empty() || !range ? "" : " (" + unit + ")";
  }
};

/// Returns every key, table by table, in the order of the reference.
const std::vector<SceneKey>& scene_keys();

/// Returns the key of a full name, such as "optics.na"; null if there is none.
const SceneKey* find_key(std::string_view full_name);

/// Gives a key a value, as a file, --set, a channel and a sweep do. A key that chooses defaults
/// does not change keys of its table that were given before.
/// @throws InvalidSpec  as SceneKey::set.
void give(SceneSpec& scene, const SceneKey& key, const SceneValue& value);

/// Returns the full names of the keys of a table that were not given: chosen defaults change them.
std::vector<std::string> keys_not_given(const SceneSpec& scene, std::string_view table);

/// Returns the value as TOML.
std::string toml_of(const SceneValue& value);

/// Returns the value as JSON; null for a key that is absent.
Json json_of(const SceneValue& value);

/// @throws InvalidSpec  a number of `value` is outside the key's range: "is 3; give 0 to 1".
void require_in_range(const SceneKey& key, const SceneValue& value);

}  // namespace synthoscope::simulator
