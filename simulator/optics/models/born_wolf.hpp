// SPDX-License-Identifier: MIT
// simulator/optics/models/born_wolf.hpp — the scalar PSF of a lens without aberrations, for small
// angles.
#pragma once
#include "simulator/optics/pupil/optics_spec.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator {

/// A pupil with the paraxial phase of a defocus z in the immersion n,
///
///     OPD(rho, z) = - z NA^2 rho^2 / (2 n),    a = 1
///
/// in the integral of symmetric_pupil.hpp. With v = k NA r and u = k NA^2 z / n the intensity in
/// focus is (2 J1(v) / v)^2 and on the axis (sin(u/4) / (u/4))^2, both relative to the middle. z
/// has the sign of layered_pupil.hpp; the focus is z = 0. Only aperture, wavelength and immersion
/// index are read.
/// @source Born and Wolf, Principles of Optics, 7th ed., sections 8.5.2 and 8.8.
class BornWolf final : public SymmetricPupil {
 public:
  explicit BornWolf(const OpticsSpec& spec)
      : SymmetricPupil{spec.na, spec.wavelength_nm * 1e-3, 1},
        curvature_{spec.na * spec.na / (2 * spec.immersion_index)} {}
  [[nodiscard]] double path_difference_um(double rho, double z_um) const override {
    return -z_um * curvature_ * rho * rho;
  }
  [[nodiscard]] double focus_um() const override { return 0; }

 private:
  double curvature_;
};

}  // namespace synthoscope::simulator
