// SPDX-License-Identifier: MIT
// simulator/scene/kind_rows.hpp — the rows of the table of keys that one kind of objects lists.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

/// Appends keys of the table Kind::kName. A row names a member of the kind's own spec.
template <class Kind>
class KindRows {
 public:
  using Spec = std::remove_cvref_t<decltype(Kind::part(std::declval<SceneSpec&>()))>;

  explicit KindRows(std::vector<SceneKey>& keys) : keys_{keys} {}

  template <class Member>
  void add(std::string_view name, std::string_view unit, std::optional<Range> range,
           std::string_view help, Member Spec::*member) {
    keys_.push_back(row(name, unit, range, help, member));
  }

  /// A key that may be absent. @param absent  what holds then
  template <class Member>
  void add_optional(std::string_view absent, std::string_view name, std::string_view unit,
                    std::optional<Range> range, std::string_view help, Member Spec::*member) {
    keys_.push_back(absent_means(absent, row(name, unit, range, help, member)));
  }

  /// `count` and `density_per_mm3`. @param otherwise  what holds without a count
  void add_numbers(std::string_view otherwise) {
    add_optional(otherwise, "count", "", Range{0, 65535}, "how many", &Spec::count);
    add_optional("as count says", "density_per_mm3", "per mm^3", Range{0, 1e15},
                 "how many in a cubic millimetre of the grid, instead of count; their number is "
                 "rounded to the nearest",
                 &Spec::density_per_mm3);
  }

  /// A name that chooses the defaults of other keys: `apply(spec)` sets them.
  template <class Member, class Apply>
  void add_preset(std::string_view name, std::string_view help, Member Spec::*member, Apply apply) {
    add(name, "", kAny, help, member);
    SceneKey& preset = keys_.back();
    preset.chooses_defaults = true;
    preset.set = [choose = preset.set, apply](SceneSpec& scene, const SceneValue& value) {
      choose(scene, value);
      apply(Kind::part(scene));
    };
  }

 private:
  template <class Member>
  SceneKey row(std::string_view name, std::string_view unit, std::optional<Range> range,
               std::string_view help, Member Spec::*member) const {
    return key(
        std::string{Kind::kName} + "." + std::string{name}, unit, range,
        help, [member](auto& scene) -> auto& { return Kind::part(scene).*member; });
  }

  std::vector<SceneKey>& keys_;
};

}  // namespace synthoscope::simulator
