// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/cells.hpp"
#include <optional>
#include <utility>
#include "simulator/phantom/cells/missing_organelles.hpp"
#include "simulator/phantom/nuclei/nuclei.hpp"

namespace synthoscope::simulator {

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

}  // namespace synthoscope::simulator
