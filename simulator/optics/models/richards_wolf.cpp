// SPDX-License-Identifier: MIT
#include "simulator/optics/models/richards_wolf.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

using Complex = std::complex<double>;

/// Amplitudes of light polarised along the plane of incidence (p) and across it (s).
struct Transmitted {
  Complex s = 1, p = 1;
};

/// Returns Fresnel's coefficients for a ray that passes from index n to m; `n_cos` is n times the
/// cosine of its angle, complex beyond total reflection.
Transmitted through_interface(double n, Complex n_cos, double m, Complex m_cos) {
  return {2.0 * n_cos / (n_cos + m_cos), 2.0 * n * m * n_cos / (m * m * n_cos + n * n * m_cos)};
}

/// Returns n times the cosine of a ray's angle; beyond total reflection the root of evanescent
/// waves.
Complex axial_wave(double n, double na_rho) {
  return std::sqrt(Complex{(n - na_rho) * (n + na_rho), 0});
}

}  // namespace

SymmetricPupil::Amplitudes RichardsWolf::amplitudes(double rho) const {
  const OpticsSpec& o = spec();
  const double sine = o.na * rho;  // times index, the same in all layers
  const Complex immersion = axial_wave(o.immersion_index, sine),
                sample = axial_wave(o.sample_index, sine);
  Transmitted t;
  if (o.coverslip_um > 0) {
    const Complex glass = axial_wave(o.coverslip_index, sine);
    const auto in = through_interface(o.immersion_index, immersion, o.coverslip_index, glass),
               out = through_interface(o.coverslip_index, glass, o.sample_index, sample);
    t = {in.s * out.s, in.p * out.p};
  } else {
    t = through_interface(o.immersion_index, immersion, o.sample_index, sample);
  }
  const double k = wavenumber();
  const Complex cos_s = sample / o.sample_index;
  const Complex faded =
      std::exp(-k * o.depth_um * sample.imag()) / (2.0 * std::sqrt(immersion / o.immersion_index));
  return {(t.s + t.p * cos_s) * faded, t.p * (sine / o.sample_index) * faded,
          (t.s - t.p * cos_s) * faded};
}

std::vector<PupilZone> RichardsWolf::zones() const {
  const double critical = spec().sample_index / spec().na;
  if (critical >= pupil_radius()) return {{0, pupil_radius()}};
  return {{0, critical}, {critical, pupil_radius()}};
}

}  // namespace synthoscope::simulator
