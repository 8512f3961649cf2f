// SPDX-License-Identifier: MIT
// simulator/optics/optical_band.hpp — how fine the light of a set-up can be.
#pragma once
#include "simulator/optics/optics_spec.hpp"

namespace synthoscope::simulator {

/// Half the highest angular frequency of an intensity across and along the axis, 1/um. One lens has
///
///     lateral = k NA      axial = k (n - sqrt(n^2 - NA^2)) / 2
///
/// and intensities that are multiplied add theirs up. That of a depleted spot has no end: there it
/// grows with the spot's narrowing, sqrt(1 + saturation).
struct OpticalBand {
  double lateral = 0, axial = 0;

  /// The coarsest pitches that keep all of it, lambda / (4 NA) and
  /// lambda / (2 (n - sqrt(n^2 - NA^2))) of one lens, um.
  [[nodiscard]] double nyquist_lateral_um() const;
  [[nodiscard]] double nyquist_axial_um() const;
};

/// Of a computed model that is not a Gaussian; of that as of the lens which it stands for.
OpticalBand band_of(const OpticsSpec& spec);

}  // namespace synthoscope::simulator
