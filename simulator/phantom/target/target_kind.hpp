// SPDX-License-Identifier: MIT
// simulator/phantom/target/target_kind.hpp — a test target as a kind of objects of a phantom.
#pragma once
#include <concepts>
#include "core/run/run_context.hpp"
#include "simulator/base/range.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/target/target.hpp"
#include "simulator/phantom/target/target_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_target_keys(Rows& rows) {
  rows.add("kind", "", kAny,
           "points: single voxels on a lattice, at their centres; lines: round rods along y on a "
           "lattice of z and x; shells: hollow balls on a lattice; star: a disc of wedges in the "
           "middle. The target is added to nuclei and beads, which keep their labels",
           &TargetSpec::kind);
  rows.add(
      "spacing_um", "um", Range{0, kHuge, true},
      "spacing of the lattice along z, y and x, which is centred in the grid; rounded to voxels "
      "for points",
      &TargetSpec::spacing_um);
  rows.add_optional(
      "0.3 for lines, half the smallest spacing for shells, 0.8 of the grid for the star",
      "diameter_um", "um", Range{0, kHuge, true}, "diameter of a line, a shell, the star",
      &TargetSpec::diameter_um);
  rows.add("thickness_um", "um", Range{0, kHuge, true},
           "thickness of the wall of the shells, height of the star", &TargetSpec::thickness_um);
  rows.add("spokes", "", Range{2, 360},
           "number of wedges of the star, as wide as the gaps between them", &TargetSpec::spokes);
  rows.add("photons", "photons per exposure", Range{0, 1e12},
           "expected photons from a point, added up over the pixels of the plane in focus",
           &TargetSpec::photons);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of a line, a shell, the star",
           &TargetSpec::photons_per_um3);
}

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
