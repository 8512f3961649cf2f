// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue_tables.cpp — cells of a tissue in the tables of a world.
#include "simulator/phantom/tissue/tissue_kind.hpp"

namespace synthoscope::simulator {

void describe(const PlacedObject& placed, const TissueCell& cell) {
  TableRow row = placed.row("/tissue");
  row.vector("centroid_um", cell.centroid());
  row.real("volume_um3", cell.volume_um3());
  for (const HalfSpace& side : cell.sides()) {
    TableRow its = placed.part("/tissue/side", "cell");
    its.vector("normal", side.normal);
    its.real("offset_um", side.offset);
  }
  if (!cell.nucleus) return;
  TableRow nucleus = placed.part("/tissue/nucleus", "cell");
  describe(nucleus, *cell.nucleus);
  describe_parts(placed, *cell.nucleus, {"/tissue/lobe", "/tissue/nucleolus", "cell"});
}

}  // namespace synthoscope::simulator
