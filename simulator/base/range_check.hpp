// SPDX-License-Identifier: MIT
// simulator/base/range_check.hpp — checks that the numbers of a spec lie in the ranges of its keys.
#pragma once
#include <fmt/format.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>
#include "core/base/error.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/base/range.hpp"

namespace synthoscope::simulator {

/// The numbers of a member that a range bounds, in the unit of its key: none of a switch, a name or
/// a file. Specialized for each other type of member.
template <class T>
struct BoundedNumbers {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                std::is_same_v<T, std::filesystem::path> || std::is_same_v<T, std::string>);
  static std::vector<double> of(const T& value) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      return {static_cast<double>(value)};
    return {};
  }
};
template <class T>
struct BoundedNumbers<std::optional<T>> {
  static std::vector<double> of(const std::optional<T>& value) {
    return value ? BoundedNumbers<T>::of(*value) : std::vector<double>{};
  }
};
template <>
struct BoundedNumbers<Point3> {
  static std::vector<double> of(const Point3& p) { return {p.z_um, p.y_um, p.x_um}; }
};
template <>
struct BoundedNumbers<Extent3> {
  static std::vector<double> of(const Extent3& e) {
    return {static_cast<double>(e.z), static_cast<double>(e.y), static_cast<double>(e.x)};
  }
};
template <>
struct BoundedNumbers<VoxelSize> {
  static std::vector<double> of(const VoxelSize& pitch) {
    return {pitch.z_um * 1000, pitch.y_um * 1000, pitch.x_um * 1000};
  }
};

/// Goes through the keys that a function such as list_optics_keys lists, and checks a spec against
/// their ranges; scene/table_rows.hpp makes the rows of the reference from the same list.
/// @throws InvalidSpec  "check the values: optics.depth_um is -1; give 0 to 1000 (um)"
template <class SpecOfTable>
class RangeCheck {
 public:
  using Spec = SpecOfTable;

  RangeCheck(std::string_view table, const Spec& spec) : table_{table}, spec_{spec} {}

  template <class T>
  void add(std::string_view name, std::string_view unit, const std::optional<Range>& range,
           std::string_view /*help*/, T Spec::*member) const {
    if (!range) return;
    for (const double number : BoundedNumbers<T>::of(spec_.*member))
      if (!range->holds(number))
        throw InvalidSpec(fmt::format("check the values: {}.{} is {}; give {}{}", table_, name,
                                      number, range->words(),
                                      unit.empty() ? "" : fmt::format(" ({})", unit)));
  }

  template <class T>
  void add_optional(std::string_view /*absent*/, std::string_view name, std::string_view unit,
                    const std::optional<Range>& range, std::string_view help,
                    T Spec::*member) const {
    add(name, unit, range, help, member);
  }

  template <class T, class Apply>
  void add_preset(std::string_view, std::string_view, T Spec::*, const Apply&) const {}

 private:
  std::string_view table_;
  const Spec& spec_;
};

}  // namespace synthoscope::simulator
