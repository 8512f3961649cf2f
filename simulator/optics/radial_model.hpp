// SPDX-License-Identifier: MIT
// simulator/optics/radial_model.hpp — a microscope whose PSF is the same in all directions around
// its axis: what the PSF on a grid is made from.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/optics_spec.hpp"
#include "simulator/optics/radial_table.hpp"
#include "simulator/optics/round_pupil.hpp"

namespace synthoscope::simulator {

/// Radii j * step_um, 0 <= j < radii, in planes z_um.
struct RadialGrid {
  double step_um = 0;
  std::int64_t radii = 0;
  std::vector<double> z_um;
  [[nodiscard]] double reach_um() const { return step_um * static_cast<double>(radii); }
  [[nodiscard]] std::int64_t planes() const { return static_cast<std::int64_t>(z_um.size()); }
};

/// z grows as the objective withdraws from the cover glass. Lengths in um.
class RadialModel {
 public:
  virtual ~RadialModel() = default;

  /// The z of the largest on-axis intensity.
  [[nodiscard]] virtual double focus_um() const = 0;

  /// Intensities, the same for any number of threads.
  /// @throws InvalidSpec  light paths differ by more than is computed.
  [[nodiscard]] virtual RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const = 0;

  /// What radial_table holds beside what it returns, in bytes.
  [[nodiscard]] virtual std::int64_t working_bytes(const RadialGrid& grid, int threads) const = 0;

  /// Whether every plane has the same energy: then all light of an emitter is in all of them.
  [[nodiscard]] virtual bool is_wide_field() const = 0;

  /// The integral of the intensity over the infinite plane of each z, um^2.
  [[nodiscard]] virtual std::vector<double> plane_energies_um2(const std::vector<double>& z_um,
                                                               TaskPool& pool) const = 0;

  /// What plane_energies_um2 holds meanwhile, in bytes.
  [[nodiscard]] virtual std::int64_t energy_working_bytes(const std::vector<double>& z_um,
                                                          int threads) const = 0;
};

/// Of a model that is_one_pupil.
std::unique_ptr<const RoundPupil> round_pupil_of(const OpticsSpec& spec);

/// Of a computed model that is not a Gaussian.
std::unique_ptr<const RadialModel> radial_model_of(const OpticsSpec& spec);

}  // namespace synthoscope::simulator
