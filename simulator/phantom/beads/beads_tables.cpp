// SPDX-License-Identifier: MIT
// simulator/phantom/beads/beads_tables.cpp — beads in the tables of a world.
#include "simulator/phantom/beads/beads_kind.hpp"

namespace synthoscope::simulator {

void describe(const PlacedObject& placed, const Bead& bead) {
  TableRow row = placed.row("/bead");
  row.vector("centre_um", bead.centre);
  row.real("radius_um", bead.radius_um);
  row.real("photons_per_um3", bead.photons_per_um3);
}

}  // namespace synthoscope::simulator
