// SPDX-License-Identifier: MIT
// simulator/optics/models/gibson_lanni.hpp — the scalar PSF of a wide-field microscope looking
// through immersion, cover glass and sample.
#pragma once
#include <algorithm>
#include "simulator/optics/pupil/layered_pupil.hpp"

namespace synthoscope::simulator {

/// A pupil of modulus 1 with the path differences of layered_pupil.hpp that ends where a ray is
/// reflected totally, a = min(1, n_s/NA, n_i/NA, n_g/NA, n_i*/NA, n_g*/NA).
class GibsonLanni final : public LayeredPupil {
 public:
  explicit GibsonLanni(const OpticsSpec& spec, int charge = 0)
      : LayeredPupil{spec, std::min(lens_aperture(spec), spec.sample_index), charge} {}
};

}  // namespace synthoscope::simulator
