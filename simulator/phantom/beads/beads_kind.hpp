// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_kind.hpp — beads as a kind of objects of a phantom.
#pragma once
#include "core/run/run_context.hpp"
#include "simulator/phantom/beads/beads.hpp"
#include "simulator/phantom/beads/beads_keys.hpp"
#include "simulator/phantom/kind/even_body.hpp"
#include "simulator/phantom/kind/table.hpp"

namespace synthoscope::simulator {

inline double weight_of(const LightSpec& light, const Bead&) {
  return light.beads;
}

void describe(const PlacedObject& placed, const Bead& bead);

namespace kinds {

struct Beads {
  static constexpr std::string_view kName = "beads";
  static constexpr bool kFirstInRecords = true;

  static auto& part(auto& all) { return all.beads; }
  static auto& bodies(auto& phantom) { return phantom.beads; }
  static double weight(const LightSpec& light) { return light.beads; }
  static void list_keys(auto& rows) { list_beads_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    // A bead is in a list and, in a list that grows by doubling, in a node of a table
    return number_of(all.beads, grid) * (3 * std::int64_t{sizeof(Bead)} + 128);
  }
  static void place(auto& phantom, std::uint64_t seed, const RunContext& context) {
    phantom.beads =
        scatter_beads(phantom.spec.beads, obstacles_of(phantom), phantom.grid, seed, context.stop);
  }
  static TableSizes tables(const auto& world) {
    return {{"/bead", world.frames * number_of(world.spec.beads, world.grid), 7}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
