// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_kind.cpp — nuclei in the tables of a world.
#include "simulator/phantom/nuclei/nuclei_kind.hpp"

namespace synthoscope::simulator {

void describe_parts(const PlacedObject& placed, const Nucleus& nucleus, const NucleusTables& all) {
  for (const Lobe& lobe : nucleus.lobes()) {
    TableRow its = placed.part(all.lobe, all.owner);
    its.vector("offset_um", lobe.form().offset_um);
    describe(its, lobe.form());
  }
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its = placed.part(all.nucleolus, all.owner);
    its.whole("lobe", static_cast<std::int64_t>(nucleolus.lobe));
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

void describe(TableRow& row, const Nucleus& nucleus) {
  row.vector("centre_um", nucleus.centre());
  row.matrix("turn", nucleus.own_axes());
  row.word("texture_seed", nucleus.texture_seed());
}

void describe(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row = placed.row("/nucleus");
  describe(row, nucleus);
  describe_parts(placed, nucleus, {"/nucleus/lobe", "/nucleus/nucleolus", "nucleus"});
}

}  // namespace synthoscope::simulator
