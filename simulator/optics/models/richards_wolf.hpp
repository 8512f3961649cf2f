// SPDX-License-Identifier: MIT
// simulator/optics/models/richards_wolf.hpp — the vectorial PSF of a wide-field microscope looking
// through immersion, cover glass and sample.
#pragma once
#include "simulator/optics/pupil/layered_pupil.hpp"

namespace synthoscope::simulator {

/// A pupil for light of a freely rotating dipole, seen without a polariser through an aplanatic
/// lens: with t the angle of a ray in the immersion, NA rho = n_i sin t, cos_s = sqrt(1 - (n_i sin
/// t / n_s)^2) its cosine in the sample, and t_s, t_p the transmission of the interfaces,
///
///     A_0 = (t_s + t_p cos_s)       / (2 sqrt(cos t))
///     A_1 =  t_p (n_i / n_s) sin t  / (2 sqrt(cos t))
///     A_2 = (t_s - t_p cos_s)       / (2 sqrt(cos t))
///
/// with the path differences of layered_pupil.hpp. Beyond total reflection in the sample cos_s is
/// imaginary, and amplitudes fall as exp(-k z_p sqrt(NA^2 rho^2 - n_s^2)): only emitters near the
/// cover glass send light there.
/// @source Richards and Wolf, Proc. R. Soc. A 253 (1959) 358; layers: Torok and Varga, Appl. Opt.
///         36 (1997) 2305; of a microscope: Haeberle, Opt. Commun. 216 (2003) 55.
class RichardsWolf final : public LayeredPupil {
 public:
  explicit RichardsWolf(const OpticsSpec& spec, int charge = 0)
      : LayeredPupil{spec, lens_aperture(spec), charge} {}
  [[nodiscard]] Amplitudes amplitudes(double rho) const override;
  [[nodiscard]] int orders() const override { return 3; }
  [[nodiscard]] std::vector<PupilZone> zones() const override;
};

}  // namespace synthoscope::simulator
