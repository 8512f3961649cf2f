// SPDX-License-Identifier: MIT
// tests/support/furnished_cells.hpp — cells to test with.
#pragma once
#include "simulator/phantom/cells/cells_spec.hpp"

namespace synthoscope::simulator::test {

/// Small cells with some of everything.
inline CellsSpec furnished(std::int64_t count) {
  CellsSpec s;
  s.count = count;
  s.radius_um = 3.6;
  s.axis_ratios = {0.6, 1, 1.2};
  s.border = BorderRule::cut;
  s.gap_um = 0.1;
  s.nucleus_radius_um = 1.6;
  s.mitochondria = 5;
  s.mitochondria_length_um = 2.5;
  s.microtubules = 12;
  s.actin_fibres = 6;
  s.vesicles = 10;
  s.spots = 8;
  s.spots_in = SpotPlace::cell;
  s.filopodia = 8;
  s.filopodium_length_um = 1.5;
  return s;
}

}  // namespace synthoscope::simulator::test
