// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/layered_pupil.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace synthoscope::simulator {
namespace {

/// Amplitude on the axis, where only I_0 is not zero, and its derivative along z.
class AxialAmplitude {
 public:
  AxialAmplitude(const SymmetricPupil& model, const OpticsSpec& spec, double k,
                 const PupilNodes& pupil) {
    for (std::size_t i = 0; i < pupil.rho.size(); ++i) {
      const double rho = pupil.rho[i];
      phase_.push_back(k * (model.path_difference_um(rho, 0) - model.path_difference_um(0, 0)));
      slope_.push_back(k *
                       (axial_index(spec.immersion_index, spec.na * rho) - spec.immersion_index));
      weight_.push_back(pupil.weight[i] * model.amplitudes(rho)[0]);
    }
  }

  [[nodiscard]] double intensity(double z_um) const { return std::norm(sums(z_um).first); }

  /// Returns a value with the sign of d|A|^2/dz.
  [[nodiscard]] double slope(double z_um) const {
    const auto [a, da] = sums(z_um);
    return (std::conj(a) * da).real();
  }

 private:
  [[nodiscard]] std::pair<std::complex<double>, std::complex<double>> sums(double z_um) const {
    std::complex<double> a, da;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      const double angle = phase_[i] + slope_[i] * z_um;
      const std::complex<double> term =
          weight_[i] * std::complex<double>{std::cos(angle), std::sin(angle)};
      a += term;
      da += std::complex<double>{0, slope_[i]} * term;
    }
    return {a, da};
  }

  std::vector<double> phase_, slope_;
  std::vector<std::complex<double>> weight_;
};

}  // namespace

double axial_index(double n, double na_rho) {
  return std::sqrt(std::max(0.0, (n - na_rho) * (n + na_rho)));
}

double lens_aperture(const OpticsSpec& s) {
  return std::min({s.na, s.immersion_index, s.coverslip_index,
                   s.design_immersion_index.value_or(s.immersion_index),
                   s.design_coverslip_index.value_or(s.coverslip_index)});
}

LayeredPupil::LayeredPupil(const OpticsSpec& spec, double aperture, int charge)
    : SymmetricPupil{spec.na, spec.wavelength_nm * 1e-3, aperture / spec.na, charge},
      spec_{spec},
      design_immersion_index_{spec.design_immersion_index.value_or(spec.immersion_index)},
      design_coverslip_index_{spec.design_coverslip_index.value_or(spec.coverslip_index)},
      design_coverslip_um_{spec.design_coverslip_um.value_or(spec.coverslip_um)} {}

double LayeredPupil::path_difference_um(double rho, double z_um) const {
  const double s = spec_.na * rho;
  return (z_um + spec_.working_distance_um) * axial_index(spec_.immersion_index, s) +
         spec_.depth_um * axial_index(spec_.sample_index, s) -
         spec_.working_distance_um * axial_index(design_immersion_index_, s) +
         spec_.coverslip_um * axial_index(spec_.coverslip_index, s) -
         design_coverslip_um_ * axial_index(design_coverslip_index_, s);
}

/// Returns the z at which the rays of one zone of the pupil meet: d OPD / d rho^2 = 0.
double LayeredPupil::zone_focus_um(double rho) const {
  const double s = spec_.na * rho;
  return axial_index(spec_.immersion_index, s) *
             (spec_.working_distance_um / axial_index(design_immersion_index_, s) -
              spec_.depth_um / axial_index(spec_.sample_index, s) -
              spec_.coverslip_um / axial_index(spec_.coverslip_index, s) +
              design_coverslip_um_ / axial_index(design_coverslip_index_, s)) -
         spec_.working_distance_um;
}

double LayeredPupil::focus_um() const {
  // The brightest plane lies among the foci of the zones, give or take the depth of field.
  const double edge = axial_index(spec_.immersion_index, spec_.na * pupil_radius());
  const double period = 2 * std::numbers::pi / (wavenumber() * (spec_.immersion_index - edge));
  double low = zone_focus_um(0), high = low;
  const double widest = std::min(pupil_radius(), spec_.sample_index / spec_.na);  // fades beyond
  for (int i = 1; i <= 64; ++i) {
    const double zone = zone_focus_um(0.97 * widest * i / 64);
    low = std::min(low, zone);
    high = std::max(high, zone);
  }
  low -= period;
  high += period;

  const double ends[] = {low, high};
  const AxialAmplitude axis{*this, spec_, wavenumber(), nodes_for(0, ends)};
  const auto steps = static_cast<std::int64_t>(std::ceil((high - low) / (period / 16)));
  const double step = (high - low) / static_cast<double>(steps);
  double best = low, most = 0;
  for (std::int64_t i = 0; i <= steps; ++i) {
    const double z = low + step * static_cast<double>(i), intensity = axis.intensity(z);
    if (intensity > most) {
      most = intensity;
      best = z;
    }
  }

  // Bisect the derivative, which changes sign once within a step of the largest sample.
  double left = best - step, right = best + step;
  while (right - left > 1e-10) {
    const double middle = 0.5 * (left + right);
    (axis.slope(middle) > 0 ? left : right) = middle;
  }
  return 0.5 * (left + right);
}

}  // namespace synthoscope::simulator
