// SPDX-License-Identifier: MIT
#include "simulator/optics/wide_field.hpp"
#include <algorithm>

namespace synthoscope::simulator {

std::int64_t WideField::nodes_for(const RadialGrid& grid) const {
  const auto [low, high] = std::minmax_element(grid.z_um.begin(), grid.z_um.end());
  const std::vector<double> ends{*low, *high};
  return pupil_->nodes_for(grid.reach_um(), ends);
}

RadialTable WideField::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  return pupil_->radial_table(grid.step_um, grid.radii, grid.z_um, nodes_for(grid), pool);
}

std::int64_t WideField::working_bytes(const RadialGrid& grid, int threads) const {
  return pupil_->table_working_bytes(grid.planes(), nodes_for(grid), threads);
}

std::vector<double> WideField::plane_energies_um2(const std::vector<double>& z_um,
                                                  TaskPool&) const {
  return std::vector<double>(z_um.size(), pupil_->plane_energy_um2());
}

}  // namespace synthoscope::simulator
