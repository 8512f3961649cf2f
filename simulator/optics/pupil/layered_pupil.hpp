// SPDX-License-Identifier: MIT
// simulator/optics/pupil/layered_pupil.hpp — path differences of a microscope that looks through
// immersion, cover glass and sample.
#pragma once
#include "simulator/optics/pupil/optics_spec.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator {

/// Returns sqrt(n^2 - NA^2 rho^2), the index times the cosine of a ray's angle; 0 beyond total
/// reflection.
double axial_index(double n, double na_rho);

/// Returns the part of the numerical aperture that passes from cover glass to camera.
double lens_aperture(const OpticsSpec& spec);

/// A pupil with the path differences of immersion, cover glass and sample. With * the design
/// values,
///
///     OPD(rho, z) = (z + t_i*) sqrt(n_i^2 - NA^2 rho^2) + z_p sqrt(n_s^2 - NA^2 rho^2)
///                 - t_i* sqrt(n_i*^2 - NA^2 rho^2)
///                 + t_g sqrt(n_g^2 - NA^2 rho^2) - t_g* sqrt(n_g*^2 - NA^2 rho^2)
///
/// in the integral of symmetric_pupil.hpp, where imaginary roots count as 0. z is the change of the
/// immersion's thickness: it grows as the objective withdraws from the cover glass. Lengths in um.
/// @source Gibson and Lanni, J. Opt. Soc. Am. A 8 (1991) 1601, doi:10.1364/JOSAA.8.001601;
///         this form: Li, Xue and Blu, J. Opt. Soc. Am. A 34 (2017) 1029.
class LayeredPupil : public SymmetricPupil {
 public:
  [[nodiscard]] double path_difference_um(double rho, double z_um) const final;
  [[nodiscard]] double focus_um() const final;

 protected:
  /// @param aperture  the part of the numerical aperture that passes
  /// @param charge    charge of a vortex, 0 or 1
  LayeredPupil(const OpticsSpec& spec, double aperture, int charge);
  [[nodiscard]] const OpticsSpec& spec() const { return spec_; }

 private:
  [[nodiscard]] double zone_focus_um(double rho) const;

  OpticsSpec spec_;
  double design_immersion_index_, design_coverslip_index_, design_coverslip_um_;
};

}  // namespace synthoscope::simulator
