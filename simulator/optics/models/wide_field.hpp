// SPDX-License-Identifier: MIT
// simulator/optics/models/wide_field.hpp — light through one pupil.
#pragma once
#include "simulator/optics/models/radial_model.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator {

/// A lens that looks at an evenly lit sample, or that excites it.
class WideField final : public RadialModel {
 public:
  /// Grids finer than the pupil's light are filled by interpolation, to 1e-7 of the peak. A
  /// `fineness` puts the computed radii that many times closer, and divides the error by its sixth
  /// power.
  explicit WideField(std::unique_ptr<const SymmetricPupil> pupil, double fineness = 1)
      : pupil_{std::move(pupil)}, step_um_{kRadialStep / pupil_->lateral_wavenumber() / fineness} {}

  [[nodiscard]] double focus_um() const override { return pupil_->focus_um(); }
  [[nodiscard]] RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const override;
  [[nodiscard]] std::int64_t working_bytes(const RadialGrid& grid, int threads) const override;
  [[nodiscard]] bool is_wide_field() const override { return true; }
  [[nodiscard]] std::vector<double> plane_energies_um2(const std::vector<double>& z_um,
                                                       TaskPool& pool) const override;
  [[nodiscard]] std::int64_t energy_working_bytes(const std::vector<double>& /*z_um*/,
                                                  int /*threads*/) const override {
    return 0;
  }

 private:
  [[nodiscard]] RadialGrid computed(const RadialGrid& grid) const;
  [[nodiscard]] PupilNodes nodes_for(const RadialGrid& grid) const;

  std::unique_ptr<const SymmetricPupil> pupil_;
  double step_um_;
};

}  // namespace synthoscope::simulator
