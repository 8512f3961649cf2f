// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_kind.hpp — a test target as a kind of objects of a phantom.
#pragma once
#include <concepts>
#include "core/run/run_context.hpp"
#include "simulator/phantom/kind/even_body.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/target/target.hpp"
#include "simulator/phantom/target/target_keys.hpp"

namespace synthoscope::simulator {

template <class T>
concept TargetMember = std::same_as<T, PointTarget> || std::same_as<T, LineTarget> ||
    std::same_as<T, ShellTarget> || std::same_as<T, StarTarget>;

double weight_of(const LightSpec& light, const TargetMember auto&) {
  return light.target;
}

inline auto light_of(const PointTarget& point, std::int64_t, const auto&, const Vector3&,
                     const LightSpec& seen) {
  return [&point, photons = point.photons * seen.target](const Vector3& centre) {
    return point.contains(centre) ? photons : 0.0;
  };
}

inline void move_by(PointTarget& point, const Vector3& way, const Bounds&) {
  point.at = point.at + way;
}

void describe(const PlacedObject& placed, const PointTarget& point);
void describe(const PlacedObject& placed, const LineTarget& line);
void describe(const PlacedObject& placed, const ShellTarget& shell);
void describe(const PlacedObject& placed, const StarTarget& star);

/// Returns the tables of `members` members of one sort.
TableSizes tables_of_target(const TargetSpec& spec, std::int64_t members);

namespace kinds {

struct Target {
  static constexpr std::string_view kName = "target";
  static constexpr bool kFirstInRecords = true;

  static auto& part(auto& all) { return all.target; }
  static auto& bodies(auto& phantom) { return phantom.target; }
  static double weight(const LightSpec& light) { return light.target; }
  static bool emits_points(const TargetSpec& spec) { return spec.kind == TargetKind::points; }
  static void list_keys(auto& rows) { list_target_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    // Lists of places and members grow by doubling
    return number_of(all.target, grid) * (3 * std::int64_t{sizeof(StarTarget)});
  }
  static void place(auto& phantom, std::uint64_t, const RunContext&) {
    phantom.target = make_target(phantom.spec.target, phantom.grid);
  }
  static TableSizes tables(const auto& world) {
    return tables_of_target(world.spec.target,
                            world.frames * number_of(world.spec.target, world.grid));
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
