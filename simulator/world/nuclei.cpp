// SPDX-License-Identifier: MIT
// simulator/world/nuclei.cpp — nuclei in the tables of a world.
#include "simulator/world/world_kinds.hpp"

namespace synthoscope::simulator {

TableRooms rooms_of_nuclei(const WorldRoom& room) {
  const NucleiSpec& spec = room.spec.nuclei;
  const std::int64_t nuclei =
      room.frames * (number_of(spec, room.grid) + number_of(room.spec.tissue, room.grid));
  const std::int64_t lobes = 2 * spec.most_lobes - 1;  // with the bridges between them
  return {{"/nucleus", nuclei, 15},
          {"/nucleus/lobe", nuclei * lobes, 4 + kLobeValues},
          {"/nucleus/nucleolus", nuclei * spec.nucleoli, 6},
          {"/nucleus/pose", room.nucleus_poses, 14}};
}

void describe(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row = placed.row("/nucleus");
  row.vector("centre_um", nucleus.centre());
  row.matrix("turn", nucleus.turn());
  row.word("texture_seed", nucleus.texture_seed());
  for (const Lobe& lobe : nucleus.lobes()) {
    TableRow its = placed.part("/nucleus/lobe", "nucleus");
    its.vector("offset_um", lobe.form().offset_um);
    describe(its, lobe.form());
  }
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its = placed.part("/nucleus/nucleolus", "nucleus");
    its.whole("lobe", static_cast<std::int64_t>(nucleolus.lobe));
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

}  // namespace synthoscope::simulator
