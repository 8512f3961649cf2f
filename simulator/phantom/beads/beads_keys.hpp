// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_keys.hpp — the keys of [beads].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/beads/beads_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_beads_keys(Rows& rows) {
  rows.add_numbers("0, or by density_per_mm3");
  rows.add("diameter_um", "um", Range{0.001, kHuge}, "mean diameter of the balls",
           &BeadsSpec::diameter_um);
  rows.add("diameter_spread", "", Range{0, 0.25},
           "standard deviation of the diameter over its mean", &BeadsSpec::diameter_spread);
  rows.add(
      "photons", "photons per exposure", Range{0, 1e12},
      "light of a bead of mean diameter if all of it fell on one plane; others have as much per "
      "volume",
      &BeadsSpec::photons);
  rows.add("gap_um", "um", Range{0, kHuge},
           "smallest distance to another bead, a nucleus or a cell", &BeadsSpec::gap_um);
  rows.add("border", "", kAny,
           "inside: every bead lies wholly in the grid; cut: only its centre has to",
           &BeadsSpec::border);
}

}  // namespace synthoscope::simulator
