// SPDX-License-Identifier: MIT
// tests/unit/simulator/optics/pupil_checks.hpp — what is asked of every round pupil.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>
#include "core/base/units.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator::test {

/// How far intensities within 100 pixels and 20 planes of the focus are from those of twice the
/// nodes: the relative L2 error.
inline double change_when_nodes_double(const SymmetricPupil& model, const VoxelSize& pitch,
                                       TaskPool& pool) {
  const double focus = model.focus_um(), reach = 100 * pitch.x_um;
  const std::vector<double> z{focus - 20 * pitch.z_um, focus, focus + 20 * pitch.z_um};
  const auto once = model.radial_table(reach / 50, 51, z, model.nodes_for(reach, z), pool);
  const auto twice = model.radial_table(reach / 50, 51, z, model.nodes_for(reach, z, 2), pool);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < once.intensity.size(); ++i) {
    difference += std::pow(once.intensity[i] - twice.intensity[i], 2);
    size += std::pow(twice.intensity[i], 2);
  }
  return std::sqrt(difference / size);
}

/// Planes ten below the focus, there and ten above, finely enough for their energy.
inline RadialTable planes_about_focus(const SymmetricPupil& model, const VoxelSize& pitch,
                                      double reach_um, TaskPool& pool) {
  const double focus = model.focus_um(), step = 0.5 / model.lateral_wavenumber();
  const std::vector<double> z{focus - 10 * pitch.z_um, focus, focus + 10 * pitch.z_um};
  return model.radial_table(step, static_cast<std::int64_t>(reach_um / step), z,
                            model.nodes_for(reach_um, z), pool);
}

/// The energy of a plane within the first `radii` radii.
inline double energy_within(const RadialTable& table, std::int64_t plane, std::int64_t radii) {
  // The sum of r I(r) misses a twelfth of a step squared at r = 0 (Euler-Maclaurin)
  double sum = table.row(0)[plane] / 12;
  for (std::int64_t j = 1; j < radii; ++j) sum += static_cast<double>(j) * table.row(j)[plane];
  return 2 * std::numbers::pi * table.step_um * table.step_um * sum;
}

}  // namespace synthoscope::simulator::test
