// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <optional>
#include <utility>
#include "simulator/phantom/beads/beads.hpp"
#include "simulator/phantom/cells/filopodia.hpp"
#include "simulator/phantom/cells/missing_organelles.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/neurons/neurons.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/nuclei/relaxation.hpp"

namespace synthoscope::simulator {
namespace {

std::vector<Nucleus> make_nuclei(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                                 const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  std::vector<std::optional<Nucleus>> drawn(static_cast<std::size_t>(count));
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    drawn[static_cast<std::size_t>(i)] = Nucleus::draw(spec, seed, i);
    context.progress.advance(1);
  });
  std::vector<Nucleus> nuclei;
  nuclei.reserve(drawn.size());
  for (auto& nucleus : drawn) nuclei.push_back(std::move(*nucleus));
  place(nuclei, spec, grid, {seed, RandomStage::phantom}, context.stop);
  return nuclei;
}

/// Places surfaces away from `nuclei`, then makes the cells in them.
std::vector<Cell> make_cells(const PhantomSpec& all, const std::vector<Nucleus>& nuclei,
                             const Grid& grid, std::uint64_t seed, const RunContext& context) {
  const CellsSpec& spec = all.cells;
  const std::int64_t count = number_of(spec, grid);
  std::vector<Nucleus> surfaces;
  surfaces.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) surfaces.push_back(Cell::draw_surface(spec, seed, i));
  place(surfaces, shells_of(spec), grid, {seed, RandomStage::cells}, context.stop,
        {"cells", nuclei, all.nuclei.gap_um});
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

BeadObstacles obstacles_of(const Phantom& phantom) {
  BeadObstacles all{{}, phantom.tissue};
  for (const Nucleus& nucleus : phantom.nuclei) all.bodies.push_back(&nucleus);
  for (const Cell& cell : phantom.cells) all.bodies.push_back(&cell.surface());
  return all;
}

}  // namespace

std::int64_t Phantom::count() const {
  std::int64_t count = 0;
  for_each_kind(*this, [&](const auto& bodies) { count += std::ssize(bodies); });
  return count;
}

std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid) {
  // Drawn and kept nuclei exist at the same time; the support is allocated separately
  const auto drawn = std::int64_t{sizeof(std::optional<Nucleus>)};
  const auto support = static_cast<std::int64_t>(separating_directions().size() * sizeof(double));
  const std::int64_t lobes = spec.nuclei.most_lobes == 1 ? 1 : 2 * spec.nuclei.most_lobes - 1;
  // CentreRegion, Pushed and orders of Placing
  constexpr std::int64_t kPlacing =
      std::int64_t{sizeof(CentreRegion) + sizeof(Pushed) + 4 * sizeof(std::size_t)};
  const std::int64_t nucleus =
      drawn + kPlacing + std::int64_t{sizeof(Nucleus)} + support +
      lobes * std::int64_t{sizeof(Lobe)} + spec.nuclei.nucleoli * std::int64_t{sizeof(Nucleolus)} +
      (spec.nuclei.gap_um < 0 ? kMostNeighbours * std::int64_t{sizeof(std::size_t)} : 0);
  // A bead is in a list and, in a list that grows by doubling, in a node of a table
  const std::int64_t bead = 3 * std::int64_t{sizeof(Bead)} + 128;
  // Lists of places and members grow by doubling
  const std::int64_t member = 3 * std::int64_t{sizeof(StarTarget)};
  constexpr std::int64_t kIndexed = 2 * ObjectIndex::kBytesPerObject;  // for light and for labels
  const auto [strands, pieces] = strands_of(spec, grid);
  // Surface and nucleus; both exist three times while cells are made and beads placed
  const std::int64_t cell = std::int64_t{sizeof(std::optional<Cell>) + sizeof(Cell)} + kPlacing +
                            6 * (std::int64_t{sizeof(Nucleus) + sizeof(Lobe)} + support) +
                            spec.cells.nucleoli * std::int64_t{sizeof(Nucleolus)} + kFilopodiaBytes;
  return number_of(spec.nuclei, grid) * (nucleus + kFilopodiaBytes + kIndexed) +
         number_of(spec.beads, grid) * (bead + kIndexed) +
         number_of(spec.target, grid) * (member + kIndexed) +
         number_of(spec.volume) * (std::int64_t{sizeof(Region)} + kIndexed) +
         number_of(spec.tissue, grid) * (tissue_cell_bytes() + nucleus + kIndexed) +
         number_of(spec.neuron) * (std::int64_t{sizeof(Neuron)} + kIndexed) +
         number_of(spec.cells, grid) * (cell + kIndexed) +
         // Points of a file; kept segments, in lists that grow by doubling; and placed pieces, for
         // light, for labels and for structures, which have separate labels
         pieces * std::int64_t{2 * sizeof(SwcPoint) + 3 * sizeof(Segment)} +
         3 * strands * std::int64_t{sizeof(StainedStrand)} +
         3 * PlacedStrands::bytes(strands, pieces, grid.extent);
}

Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context) {
  require_valid(spec, grid);
  context.progress.begin("phantom", number_of(spec.nuclei, grid) + number_of(spec.cells, grid));
  auto nuclei = make_nuclei(spec.nuclei, grid, seed, context);
  auto cells = make_cells(spec, nuclei, grid, seed, context);
  return phantom_around(std::move(nuclei), std::move(cells), spec, grid, seed, context);
}

Phantom phantom_around(std::vector<Nucleus> nuclei, std::vector<Cell> cells,
                       const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                       const RunContext& context) {
  Phantom phantom{.grid = grid, .spec = spec, .nuclei = std::move(nuclei)};
  phantom.overlapped = overlaps_of(phantom.nuclei, spec.nuclei.gap_um);
  phantom.cells = std::move(cells);
  end_filopodia_at_neighbours(phantom.cells, phantom.nuclei);
  phantom.tissue = make_tissue(spec.tissue, spec.nuclei, grid, seed, context);
  phantom.beads = scatter_beads(spec.beads, obstacles_of(phantom), grid, seed, context.stop);
  phantom.target = make_target(spec.target, grid);
  phantom.volume = import_volume(spec.volume, grid, context);
  if (phantom.volume) phantom.regions = regions_of(*phantom.volume, spec.volume);
  phantom.neurons = make_neurons(spec.neuron, grid);
  warn_of_neurons_outside(phantom.neurons, grid, context.log);
  return phantom;
}

}  // namespace synthoscope::simulator
