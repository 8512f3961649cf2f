// SPDX-License-Identifier: MIT
#include "simulator/timelapse/moving_kind.hpp"

namespace synthoscope::simulator {

Nucleus MovingKind::draw(std::uint64_t seed, std::int64_t number) const {
  return Nucleus::draw(surfaces, {stream(seed), static_cast<std::uint64_t>(number)});
}

std::vector<Life> MovingKind::lineage(const TimeSpec& time, const Grid& grid, std::int64_t frames,
                                      std::uint64_t seed) const {
  return lineage_of(number_of(surfaces, grid), time, frames, seed, {table, lives});
}

MovingKind moving_nuclei(const PhantomSpec& spec) {
  return {"nuclei",           spec.nuclei,         RandomStage::phantom,
          RandomStage::lives, RandomStage::motion, true};
}

MovingKind moving_cells(const PhantomSpec& spec, const Grid& grid) {
  MovingKind cells{"cells", shells_of(spec.cells), RandomStage::cells, RandomStage::cell_lives,
                   RandomStage::cell_motion};
  // Without a count there are no cells, but there would be nuclei
  cells.surfaces.count = number_of(spec.cells, grid);
  cells.surfaces.density_per_mm3.reset();
  return cells;
}

}  // namespace synthoscope::simulator
