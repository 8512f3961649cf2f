// SPDX-License-Identifier: MIT
// kernels/body/contrast.hpp — adds up the bands of an image, each with its own gain, as their
// windows arrive, finest first. Host and device compile this file.
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

/// A voxel's bands up to one of the windows. Means are offsets from the voxel; before the first
/// window both members are 0.
struct alignas(8) BandSum {
  float mean = 0;  ///< of the last window
  float sum = 0;
};

__attribute__((always_inline)) inline BandSum with_band(const BandSum& before, const Part& window,
                                                        const ContrastGain& gain) {
  return {window.offset, before.sum + gain.of(window.variance) * (before.mean - window.offset)};
}

/// Returns the voxel that all bands make.
/// @param last  the last window
__attribute__((always_inline)) inline float with_contrast(const BandSum& all, const Part& last) {
  return last.voxel + (last.offset + all.sum);
}

}  // namespace synthoscope::kernels
