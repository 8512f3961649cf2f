// SPDX-License-Identifier: MIT
// simulator/world/kinds.hpp — the tables of a world for each kind of object: their sizes and
// the content of their rows. docs/reference/world.md explains the columns.
#pragma once
#include <vector>
#include "simulator/world/table.hpp"
#include "simulator/world/world.hpp"

namespace synthoscope::simulator {

using TableSizes = std::vector<TableSize>;

/// Nuclei that are separate objects, with their lobes and nucleoli.
TableSizes table_sizes_of_nuclei(const WorldSize& room);
void describe(const PlacedObject& placed, const Nucleus& nucleus);

/// The tables for parts of nuclei: of separate nuclei, of cells or of a tissue.
struct NucleusTables {
  const char *lobe, *nucleolus;
  const char* owner;  ///< the column with the id of the object that has the nucleus
};
/// Place, turn and texture of a nucleus; its lobes and nucleoli.
void describe(TableRow& row, const Nucleus& nucleus);
void describe_parts(const PlacedObject& placed, const Nucleus& nucleus, const NucleusTables& all);

/// Beads and members of a target.
TableSizes table_sizes_of_simple_bodies(const WorldSize& room);
void describe(const PlacedObject& placed, const Bead& bead);
void describe(const PlacedObject& placed, const PointTarget& point);
void describe(const PlacedObject& placed, const LineTarget& line);
void describe(const PlacedObject& placed, const ShellTarget& shell);
void describe(const PlacedObject& placed, const StarTarget& star);

TableSizes table_sizes_of_regions(const WorldSize& room);
void describe(const PlacedObject& placed, const Region& region);

/// Cells with their surface, nucleus and the pieces of their strands.
TableSizes table_sizes_of_cells(const WorldSize& room);
void describe(const PlacedObject& placed, const Cell& cell);

/// Cells of a tissue with their sides, and with their nuclei, lobes and nucleoli.
TableSizes table_sizes_of_tissue(const WorldSize& room);
void describe(const PlacedObject& placed, const TissueCell& cell);

TableSizes table_sizes_of_neurons(const WorldSize& room);
void describe(const PlacedObject& placed, const Neuron& neuron);

/// Tracks, and the frames of a movie.
TableSizes table_sizes_of_movie(const WorldSize& room);
/// Writes a movie: every nucleus and cell as it was drawn, and its poses; other objects; tracks and
/// frames.
void describe(const WorldTables& tables, const Movie& movie);

}  // namespace synthoscope::simulator
