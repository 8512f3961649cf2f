// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_tables.cpp — regions of an imported volume in the tables of a
// world.
#include "simulator/phantom/volume/volume_kind.hpp"

namespace synthoscope::simulator {

void describe(const PlacedObject& placed, const Region& region) {
  TableRow row = placed.row("/region");
  row.whole("file_label", region.file_label);
  row.vector("centroid_um", region.middle);
  row.real("volume_um3", region.um3);
  row.real("photons_per_um3", region.photons_per_um3);
}

}  // namespace synthoscope::simulator
