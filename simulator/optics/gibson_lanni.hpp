// SPDX-License-Identifier: MIT
// simulator/optics/gibson_lanni.hpp — the scalar PSF of a wide-field microscope looking through
// immersion, cover glass and sample.
#pragma once
#include "simulator/optics/optics_spec.hpp"
#include "simulator/optics/scalar_pupil.hpp"

namespace synthoscope::simulator {

/// With * the design values,
///
///     OPD(rho, z) = (z + t_i*) sqrt(n_i^2 - NA^2 rho^2) + z_p sqrt(n_s^2 - NA^2 rho^2)
///                 - t_i* sqrt(n_i*^2 - NA^2 rho^2)
///                 + t_g sqrt(n_g^2 - NA^2 rho^2) - t_g* sqrt(n_g*^2 - NA^2 rho^2)
///     a           = min(1, n_s/NA, n_i/NA, n_g/NA, n_i*/NA, n_g*/NA)
///
/// in the integral of scalar_pupil.hpp. z is the change of the immersion's thickness: it grows as
/// the objective withdraws from the cover glass. Lengths in um.
/// @source Gibson and Lanni, J. Opt. Soc. Am. A 8 (1991) 1601, doi:10.1364/JOSAA.8.001601;
///         this form: Li, Xue and Blu, J. Opt. Soc. Am. A 34 (2017) 1029.
class GibsonLanni final : public ScalarPupil {
 public:
  explicit GibsonLanni(const OpticsSpec& spec);
  [[nodiscard]] double path_difference_um(double rho, double z_um) const override;
  [[nodiscard]] double focus_um() const override;

 private:
  [[nodiscard]] double zone_focus_um(double rho) const;

  OpticsSpec spec_;
  double design_immersion_index_, design_coverslip_index_, design_coverslip_um_;
};

}  // namespace synthoscope::simulator
