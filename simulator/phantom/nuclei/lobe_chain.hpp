// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/lobe_chain.hpp — the lobes of a segmented nucleus: a bent chain with
// bridges.
#pragma once
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/lobes/lobe.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"

namespace synthoscope::simulator {

/// Several lobes and their volume; the centroid is the origin.
struct LobeChain {
  std::vector<Lobe> lobes;  ///< the lobes proper, then the bridges between neighbours
  double volume_um3 = 0;
};

/// Draws `count` > 1 lobes whose union has the volume of a ball of `radius_um`. The chain bends to
/// one side by 27 to 54 degrees at every lobe, and a little out of its plane. Neighbours are 1.1 to
/// 1.25 times the sum of their radii apart, joined by spindles a quarter as thick as the smaller
/// neighbour. Typical figures, chosen by eye; `turn` leads from the grid's axes to the nucleus'.
LobeChain draw_lobe_chain(const NucleiSpec& spec, const Draws& draws, const Matrix3& turn,
                          int count, double radius_um);

}  // namespace synthoscope::simulator
