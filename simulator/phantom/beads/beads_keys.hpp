// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_keys.hpp — the keys of [beads].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"
#include "simulator/phantom/geometry/population.hpp"

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
  rows.add("gap_um", "um", Range{0, kHuge},
           "smallest distance to another bead, a nucleus or a cell", &BeadsSpec::gap_um);
  rows.add(
      "border", "", kAny,
      "inside: every bead lies entirely in the grid; cut: only its centre must lie in the grid",
      &BeadsSpec::border);
}

}  // namespace synthoscope::simulator
