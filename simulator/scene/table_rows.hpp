// SPDX-License-Identifier: MIT
// simulator/scene/table_rows.hpp — the rows of the keys of one table, from the list beside its
// spec.
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
  if constexpr (Held<T>::kKind == ValueKind::text_or_number) {
    row.choices = Held<T>::kChoices;
    row.names.assign(Held<T>::kWords.begin(), Held<T>::kWords.end());
  }
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

/// Appends the keys that a function such as list_optics_keys lists; RangeCheck checks a spec by the
/// same list. A row names a member of the spec. `Part` returns the spec of a scene or a const
/// scene.
template <class Part>
class TableRows {
 public:
  using Spec = std::remove_cvref_t<std::invoke_result_t<Part, SceneSpec&>>;

  TableRows(std::vector<SceneKey>& keys, std::string_view table, Part part)
      : keys_{keys}, table_{table}, part_{part} {}

  template <class T>
  void add(std::string_view name, std::string_view unit, const std::optional<Range>& range,
           std::string_view help, T Spec::*member) {
    keys_.push_back(key(
        table_ + "." + std::string{name}, unit, range, help,
        [ part = part_, member ](auto& scene) -> auto& { return part(scene).*member; }));
  }

  /// A key that may be absent. @param absent  what holds then
  template <class T>
  void add_optional(std::string_view absent, std::string_view name, std::string_view unit,
                    const std::optional<Range>& range, std::string_view help, T Spec::*member) {
    add(name, unit, range, help, member);
    keys_.back().optional = true;
    keys_.back().absent = absent;
  }

  /// A name that chooses the defaults of other keys: `apply(spec, before)` sets them, where
  /// `before` is the spec before this key was read.
  template <class T, class Apply>
  void add_preset(std::string_view name, std::string_view help, T Spec::*member, Apply apply) {
    add(name, "", kAny, help, member);
    SceneKey& preset = keys_.back();
    preset.chooses_defaults = true;
    preset.set = [choose = preset.set, part = part_, apply](SceneSpec& scene,
                                                            const SceneValue& value) {
      const Spec before = part(scene);
      choose(scene, value);
      apply(part(scene), before);
    };
  }

 private:
  std::vector<SceneKey>& keys_;
  std::string table_;
  Part part_;
};

}  // namespace synthoscope::simulator
