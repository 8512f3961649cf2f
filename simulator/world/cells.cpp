// SPDX-License-Identifier: MIT
// simulator/world/cells.cpp — cells, and cells of a tissue, in the tables of a world.
#include "simulator/world/kinds.hpp"

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

TableSizes table_sizes_of_cells(const WorldSize& room) {
  const std::int64_t cells = room.frames * number_of(room.spec.cells, room.grid);
  return {{"/cell", cells, 15},
          {"/cell/surface", cells, 1 + kLobeValues},
          {"/cell/nucleus", cells, 5 + kLobeValues},
          {"/cell/nucleolus", cells * room.spec.cells.nucleoli, 5},
          {"/cell/pose", room.cell_poses, 14},
          {"/cell/segment", cells * strands_of_cell(room.spec.cells).pieces, 2 + kSegmentValues}};
}

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

TableSizes table_sizes_of_tissue(const WorldSize& room) {
  const NucleiSpec& spec = room.spec.nuclei;
  const std::int64_t cells = number_of(room.spec.tissue, room.grid), nuclei = room.frames * cells;
  return {{"/tissue", room.frames * cells, 6},
          {"/tissue/side", room.frames * most_sides_of(cells), 5},
          {"/tissue/nucleus", nuclei, 14},
          {"/tissue/lobe", nuclei * (2 * spec.most_lobes - 1), 4 + kLobeValues},
          {"/tissue/nucleolus", nuclei * spec.nucleoli, 6}};
}

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
