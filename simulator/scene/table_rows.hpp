// SPDX-License-Identifier: MIT
// simulator/scene/table_rows.hpp — the rows of the keys of one table, from the list beside its
// spec.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

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
