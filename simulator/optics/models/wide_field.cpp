// SPDX-License-Identifier: MIT
#include "simulator/optics/models/wide_field.hpp"
#include <algorithm>

namespace synthoscope::simulator {

/// Returns the grid to compute for `grid`: no finer than the light needs.
RadialGrid WideField::computed(const RadialGrid& grid) const {
  if (grid.step_um >= step_um_ * (1 - 1e-9)) return grid;
  const auto radii = static_cast<std::int64_t>(grid.reach_um() / step_um_) + kRadiiAfter + 2;
  return {step_um_, radii, grid.z_um};
}

PupilNodes WideField::nodes_for(const RadialGrid& grid) const {
  const auto [low, high] = std::minmax_element(grid.z_um.begin(), grid.z_um.end());
  const std::vector<double> ends{*low, *high};
  return pupil_->nodes_for(grid.reach_um(), ends);
}

RadialTable WideField::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  const RadialGrid own = computed(grid);
  RadialTable light = pupil_->radial_table(own.step_um, own.radii, own.z_um, nodes_for(own), pool);
  return own.step_um == grid.step_um ? light : interpolated(light, grid.step_um, grid.radii, pool);
}

std::int64_t WideField::working_bytes(const RadialGrid& grid, int threads) const {
  const RadialGrid own = computed(grid);
  const std::int64_t beside =
      own.step_um == grid.step_um ? 0 : own.radii * own.planes() * std::int64_t{sizeof(double)};
  return beside + pupil_->table_working_bytes(own.planes(), nodes_for(own).count(), threads);
}

std::vector<double> WideField::plane_energies_um2(const std::vector<double>& z_um,
                                                  TaskPool&) const {
  return std::vector<double>(z_um.size(), pupil_->plane_energy_um2());
}

}  // namespace synthoscope::simulator
