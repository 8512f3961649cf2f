// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_kind.hpp — beads as a kind of objects of a phantom.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/run/stop.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/base/range.hpp"
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/table.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_beads_keys(Rows& rows) {
  list_number_keys(rows, "0, unless density_per_mm3 is given");
  rows.add("diameter_um", "um", Range{0.001, kHuge}, "mean diameter of the balls",
           &BeadsSpec::diameter_um);
  rows.add("diameter_spread", "", Range{0, 0.25},
           "standard deviation of the diameter divided by its mean", &BeadsSpec::diameter_spread);
  rows.add("photons", "photons per exposure", Range{0, 1e12},
           "expected photons from a bead of mean diameter, added up over the pixels of the plane "
           "in focus; other beads have the same light per volume",
           &BeadsSpec::photons);
  list_intensity_keys(rows, "beads");
  rows.add("gap_um", "um", Range{0, kHuge},
           "smallest distance to another bead, a nucleus or a cell", &BeadsSpec::gap_um);
  rows.add(
      "border", "", kAny,
      "inside: every bead lies entirely in the grid; cut: only its centre must lie in the grid",
      &BeadsSpec::border);
}

/// Draws and places the beads of `spec`, each at the first of 2000 uniform positions that keeps its
/// distance from `obstacles` and from earlier beads. The result depends on the arguments only.
/// Draws, fixed by contract: stage `beads`, index = number of the bead; draw 0 is its diameter;
/// draw 256 + try gives z, y, x by words 0, 1, 2.
/// @throws InvalidSpec  the beads do not fit; the message says how many did.
/// @throws Interrupted  `stop` was set.
std::vector<Bead> scatter_beads(const BeadsSpec& spec, std::span<const Obstacles> obstacles,
                                const Grid& grid, std::uint64_t seed, const StopFlag& stop);

inline double weight_of(const LightSpec& light, const Bead&) {
  return light.beads;
}

void describe(const PlacedObject& placed, const Bead& bead);

namespace kinds {

struct Beads {
  static constexpr std::string_view kName = "beads";
  static constexpr RandomStage kSizeStage = RandomStage::beads;
  static constexpr std::uint16_t kSizeDraw = 0;
  static constexpr bool kFirstInRecords = true;

  static auto& part(auto& all) { return all.beads; }
  static auto& bodies(auto& phantom) { return phantom.beads; }
  static double weight(const LightSpec& light) { return light.beads; }
  static bool has_small_lights(const BeadsSpec&, const LightSpec& light) { return light.beads > 0; }
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
