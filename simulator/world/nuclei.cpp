// SPDX-License-Identifier: MIT
// simulator/world/nuclei.cpp — nuclei in the tables of a world.
#include "simulator/world/kinds.hpp"

namespace synthoscope::simulator {

TableSizes table_sizes_of_nuclei(const WorldSize& room) {
  const NucleiSpec& spec = room.spec.nuclei;
  const std::int64_t nuclei = room.frames * number_of(spec, room.grid);
  const std::int64_t lobes = 2 * spec.most_lobes - 1;  // with the bridges between them
  return {{"/nucleus", nuclei, 15},
          {"/nucleus/lobe", nuclei * lobes, 4 + kLobeValues},
          {"/nucleus/nucleolus", nuclei * spec.nucleoli, 6},
          {"/nucleus/pose", room.nucleus_poses, 14}};
}

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
