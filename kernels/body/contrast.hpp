// SPDX-License-Identifier: MIT
// kernels/body/contrast.hpp — the bands of an image, each with a gain of its own, added up as their
// windows come, from the finest on. Devices read this body, too.
#pragma once
#include <cmath>
#include "kernels/body/threewise.hpp"

namespace synthoscope::kernels {

/// The gain of a band, in the terms of local_contrast.
struct ContrastGain {
  float most, target, limit, strength;  ///< most = limit target

  [[nodiscard]] __attribute__((always_inline)) inline float of(float variance) const {
    const float wanted = most / (limit * std::sqrt(variance) + target);
    return 1 + strength * (wanted - 1);
  }
};

/// A voxel's bands up to one of the windows. Means are offsets from the voxel: that of the voxel
/// itself is 0, and so is all that comes before the first window.
struct alignas(8) BandSum {
  float mean = 0;  ///< of the last window
  float sum = 0;
};

__attribute__((always_inline)) inline BandSum with_band(const BandSum& before, const Part& window,
                                                        const ContrastGain& gain) {
  return {window.offset, before.sum + gain.of(window.variance) * (before.mean - window.offset)};
}

/// The voxel that all bands make. @param last  the last window
__attribute__((always_inline)) inline float with_contrast(const BandSum& all, const Part& last) {
  return last.voxel + (last.offset + all.sum);
}

}  // namespace synthoscope::kernels
