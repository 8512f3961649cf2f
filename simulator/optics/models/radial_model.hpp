// SPDX-License-Identifier: MIT
// simulator/optics/models/radial_model.hpp — a microscope whose PSF is the same in all directions
// around its axis: the source of PSFs on a grid.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/functions/radial_table.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator {

/// Radii j * step_um, 0 <= j < radii, in planes z_um.
struct RadialGrid {
  double step_um = 0;
  std::int64_t radii = 0;
  std::vector<double> z_um;
  [[nodiscard]] double reach_um() const { return step_um * static_cast<double>(radii); }
  [[nodiscard]] std::int64_t planes() const { return static_cast<std::int64_t>(z_um.size()); }
};

/// A PSF that is round about its axis. z grows as the objective withdraws from the cover glass.
/// Lengths in um.
class RadialModel {
 public:
  virtual ~RadialModel() = default;

  /// Returns the z of the largest on-axis intensity.
  [[nodiscard]] virtual double focus_um() const = 0;

  /// Returns intensities, which do not depend on the number of threads.
  /// @throws InvalidSpec  light paths differ by more than is computed.
  [[nodiscard]] virtual RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const = 0;

  /// Returns the bytes that radial_table holds in addition to its result.
  [[nodiscard]] virtual std::int64_t working_bytes(const RadialGrid& grid, int threads) const = 0;

  /// Returns whether every plane has the same energy: then each holds all light of an emitter.
  [[nodiscard]] virtual bool is_wide_field() const = 0;

  /// Returns the integral of the intensity over the infinite plane of each z, um^2.
  [[nodiscard]] virtual std::vector<double> plane_energies_um2(const std::vector<double>& z_um,
                                                               TaskPool& pool) const = 0;

  /// Returns the bytes that plane_energies_um2 holds meanwhile.
  [[nodiscard]] virtual std::int64_t energy_working_bytes(const std::vector<double>& z_um,
                                                          int threads) const = 0;
};

/// Returns the pupil of a model that is_one_pupil.
std::unique_ptr<const SymmetricPupil> round_pupil_of(const OpticsSpec& spec);

/// Returns a computed model; for a Gaussian there is none.
std::unique_ptr<const RadialModel> radial_model_of(const OpticsSpec& spec);

}  // namespace synthoscope::simulator
