// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_kind.cpp — draws and places cells, weights their light, and
// describes them in the tables of a world.
#include "simulator/phantom/cells/cells_kind.hpp"
#include <algorithm>
#include <optional>
#include <utility>
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"

namespace synthoscope::simulator {
namespace {

/// What filopodia end at.
struct Neighbour {
  Bounds bounds;
  const Nucleus* body;
};
static_assert(sizeof(Neighbour) <= kFilopodiaBytes);

bool has_filopodia(const Cell& cell) {
  return std::any_of(cell.strands().begin(), cell.strands().end(), [](const StainedStrand& strand) {
    return strand.structure == Structure::filopodium;
  });
}

/// Returns whether a piece comes within twice its radius of a body; twice, because depths are exact
/// to first order only.
bool comes_near(const Segment& segment, const Nucleus& body) {
  constexpr int kPoints = 8;
  const double near = 2 * std::max(segment.from_radius_um, segment.to_radius_um);
  for (int i = 0; i <= kPoints; ++i) {
    const Vector3 p =
        segment.from + (static_cast<double>(i) / kPoints) * (segment.to - segment.from);
    for (const Lobe& lobe : body.lobes())
      if (lobe.depth(p - body.centre()).um > -near) return true;
  }
  return false;
}

}  // namespace

void end_filopodia_at_neighbours(std::vector<Cell>& cells, const std::vector<Nucleus>& nuclei) {
  if (std::none_of(cells.begin(), cells.end(), has_filopodia)) return;
  std::vector<Neighbour> neighbours;
  neighbours.reserve(cells.size() + nuclei.size());
  for (const Cell& cell : cells) neighbours.push_back({cell.core_bounds(), &cell.surface()});
  for (const Nucleus& nucleus : nuclei) neighbours.push_back({nucleus.bounds(), &nucleus});
  double widest = 0;
  for (const auto& [bounds, body] : neighbours)
    widest = std::max(widest, bounds.high[2] - bounds.low[2]);
  std::sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.bounds.low[2] < b.bounds.low[2];
  });

  for (Cell& cell : cells) {
    const Bounds reach = cell.bounds();
    const auto first =
        std::lower_bound(neighbours.begin(), neighbours.end(), reach.low[2] - widest,
                         [](const Neighbour& n, double low) { return n.bounds.low[2] < low; });
    std::vector<const Nucleus*> near;
    for (auto n = first; n != neighbours.end() && n->bounds.low[2] <= reach.high[2]; ++n)
      if (n->body != &cell.surface() && touch(reach, n->bounds)) near.push_back(n->body);
    if (near.empty()) continue;
    cell.cut_filopodia([&](const Segment& segment) {
      return std::any_of(near.begin(), near.end(),
                         [&](const Nucleus* body) { return comes_near(segment, *body); });
    });
  }
}

std::vector<Cell> make_cells(const CellsSpec& spec, const std::vector<Nucleus>& nuclei,
                             double nuclei_gap_um, const Grid& grid, std::uint64_t seed,
                             const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  std::vector<Nucleus> surfaces;
  surfaces.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) surfaces.push_back(Cell::draw_surface(spec, seed, i));
  place(surfaces, shells_of(spec), grid, {seed, RandomStage::cells}, context.stop,
        {"cells", nuclei, nuclei_gap_um});
  std::vector<std::optional<Cell>> made(surfaces.size());
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    const auto place = static_cast<std::size_t>(i);
    made[place].emplace(spec, std::move(surfaces[place]), seed, i, spot_depth_um(grid));
    context.progress.advance(1);
  });
  std::vector<Cell> cells;
  cells.reserve(made.size());
  for (auto& cell : made) cells.push_back(std::move(*cell));
  warn_of_missing_organelles(spec, cells, context.log);
  return cells;
}

std::int64_t cell_bytes(const CellsSpec& spec) {
  // Surface and nucleus; both exist three times while cells are made and beads placed
  return std::int64_t{sizeof(std::optional<Cell>) + sizeof(Cell)} + kPlacingBytes +
         6 * (std::int64_t{sizeof(Nucleus) + sizeof(Lobe)} + support_bytes()) +
         spec.nucleoli * std::int64_t{sizeof(Nucleolus)};
}

double weight_of(const LightSpec& light, const Cell&, Structure structure) {
  switch (structure) {
    case Structure::filopodium:
      return light.filopodia;
    case Structure::membrane:
      return light.membrane;
    case Structure::cytoplasm:
      return light.cytoplasm;
    case Structure::nucleus:
    case Structure::nucleolus:
      return light.nuclei;
    case Structure::actin:
      return light.actin;
    case Structure::microtubule:
      return light.microtubules;
    case Structure::mitochondrion:
      return light.mitochondria;
    case Structure::vesicle:
      return light.vesicles;
    case Structure::spot:
      return light.spots;
    case Structure::none:
    case Structure::other:
    case Structure::vacuole:
      break;
  }
  return 0;
}

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
