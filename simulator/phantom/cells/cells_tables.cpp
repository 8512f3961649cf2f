// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_tables.cpp — cells in the tables of a world.
#include "simulator/phantom/cells/cells_kind.hpp"

namespace synthoscope::simulator {
namespace {

void describe_nucleus(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row = placed.part("/cell/nucleus", "cell");
  row.vector("centre_um", nucleus.centre());
  row.word("texture_seed", nucleus.texture_seed());
  describe(row, nucleus.lobes().front().form());
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its = placed.part("/cell/nucleolus", "cell");
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

}  // namespace

void describe(const PlacedObject& placed, const Cell& cell) {
  TableRow row = placed.row("/cell");
  row.vector("centre_um", cell.surface().centre());
  row.matrix("turn", cell.surface().own_axes());
  row.word("cytoplasm_seed", cell.cytoplasm_seed());
  TableRow surface = placed.part("/cell/surface", "cell");
  describe(surface, cell.surface().lobes().front().form());
  if (cell.nucleus()) describe_nucleus(placed, *cell.nucleus());
  for (const StainedStrand& stained : cell.strands())
    for (const Segment& segment : stained.strand.segments()) {
      TableRow its = placed.part("/cell/segment", "cell");
      its.whole("structure", static_cast<std::int64_t>(stained.structure));
      describe(its, segment);
    }
}

}  // namespace synthoscope::simulator
