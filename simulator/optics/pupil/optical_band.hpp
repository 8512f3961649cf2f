// SPDX-License-Identifier: MIT
// simulator/optics/pupil/optical_band.hpp — the highest spatial frequencies in the light of a
// set-up.
#pragma once
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// Half the highest angular frequency of an intensity across and along the axis, 1/um. One lens has
///
///     lateral = k NA      axial = k (n - sqrt(n^2 - NA^2)) / 2
///
/// and a product of intensities has the sum of their bands. The band of a depleted spot has no end:
/// here its lateral part grows as the spot narrows, by sqrt(1 + saturation).
struct OpticalBand {
  double lateral = 0, axial = 0;

  /// Return the coarsest pitches that keep the whole band, um: for one lens lambda / (4 NA) and
  /// lambda / (2 (n - sqrt(n^2 - NA^2))).
  [[nodiscard]] double nyquist_lateral_um() const;
  [[nodiscard]] double nyquist_axial_um() const;
};

/// Returns the band of a computed model; for a Gaussian, the band of the lens that it approximates.
OpticalBand band_of(const OpticsSpec& spec);

}  // namespace synthoscope::simulator
