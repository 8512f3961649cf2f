// SPDX-License-Identifier: MIT
// simulator/scene/key_rows.hpp — functions that write the rows of the table of keys.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include "simulator/scene/keys.hpp"
#include "simulator/scene/value.hpp"

namespace synthoscope::simulator {

/// Makes one row of the table. `member` returns the member of a scene or a const scene.
template <class Member>
SceneKey key(std::string_view full_name, std::string_view unit, std::optional<Range> range,
             std::string_view help, Member member) {
  using T = std::remove_cvref_t<decltype(member(std::declval<SceneSpec&>()))>;
  SceneKey row;
  const auto dot = full_name.find('.');
  row.table = dot == std::string_view::npos ? "" : full_name.substr(0, dot);
  row.name = full_name.substr(dot == std::string_view::npos ? 0 : dot + 1);
  row.unit = unit;
  row.kind = Held<T>::kKind;
  row.range = range;
  row.help = help;
  row.get = [member](const SceneSpec& scene) { return Held<T>::get(member(scene)); };
  row.set = [member](SceneSpec& scene, const SceneValue& value) {
    Held<T>::set(member(scene), value);
  };
  if constexpr (std::is_enum_v<T>) {
    row.choices = choices_of(T{});
    for (const auto& [value, name] : names_of(T{})) row.names.emplace_back(name);
  }
  if constexpr (Held<T>::kKind == ValueKind::text_or_number) row.choices = Held<T>::kChoices;
  return row;
}

inline SceneKey absent_means(std::string_view meaning, SceneKey row) {
  row.optional = true;
  row.absent = meaning;
  return row;
}

// A generic accessor for const and mutable scenes
#define SYNTHOSCOPE_MEMBER(path) \
  [](auto& scene) -> auto& {     \
    return scene.path;           \
  }

}  // namespace synthoscope::simulator
