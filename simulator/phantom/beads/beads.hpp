// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads.hpp — evenly stained balls, scattered so that none touches another
// object.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/stop.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/kind/obstacles.hpp"

namespace synthoscope::simulator {

/// Draws and places the beads of `spec`, each at the first of 2000 uniform positions that keeps its
/// distance from `obstacles` and from earlier beads. The result depends on the arguments only.
/// Draws, fixed by contract: stage `beads`, index = number of the bead; draw 0 is its diameter;
/// draw 256 + try gives z, y, x by words 0, 1, 2.
/// @throws InvalidSpec  the beads do not fit; the message says how many did.
/// @throws Interrupted  `stop` was set.
std::vector<Bead> scatter_beads(const BeadsSpec& spec, std::span<const Obstacles> obstacles,
                                const Grid& grid, std::uint64_t seed, const StopFlag& stop);

}  // namespace synthoscope::simulator
