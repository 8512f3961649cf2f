// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/optical_band.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

OpticalBand band_at(const OpticsSpec& s, double wavelength_nm) {
  const double k = 2 * std::numbers::pi / (wavelength_nm * 1e-3), n = s.immersion_index;
  return {k * s.na, k * (n - std::sqrt(n * n - s.na * s.na)) / 2};
}

/// Returns the band of a product of two PSFs, whose spectra are convolved.
OpticalBand band_of_product(const OpticalBand& a, const OpticalBand& b) {
  return {a.lateral + b.lateral, a.axial + b.axial};
}

}  // namespace

double OpticalBand::nyquist_lateral_um() const {
  return std::numbers::pi / (2 * lateral);
}

double OpticalBand::nyquist_axial_um() const {
  return std::numbers::pi / (2 * axial);
}

OpticalBand band_of(const OpticsSpec& s) {
  const OpticalBand emission = band_at(s, s.wavelength_nm),
                    excitation = band_at(s, s.excitation_nm);
  switch (s.model) {
    case PsfModel::confocal:
      return band_of_product(excitation, emission);
    case PsfModel::two_photon:
      return band_of_product(excitation, excitation);
    case PsfModel::light_sheet:
      // A Gaussian's spectrum, exp(-(w q)^2 / 8), has fallen to 1 % at q = 6 / w
      return {emission.lateral, emission.axial + 3 / s.sheet_waist_um};
    case PsfModel::sted: {
      const OpticalBand spot = band_of_product(excitation, emission);
      return {spot.lateral * std::sqrt(1 + s.saturation), spot.axial};
    }
    case PsfModel::gaussian:
    case PsfModel::born_wolf:
    case PsfModel::gibson_lanni:
    case PsfModel::richards_wolf:
    case PsfModel::file:
      break;
  }
  return emission;
}

}  // namespace synthoscope::simulator
