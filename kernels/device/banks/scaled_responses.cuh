// SPDX-License-Identifier: MIT
// kernels/device/banks/scaled_responses.cuh — the factor of the responses of a voxel.
#pragma once
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Returns the factor of a voxel's responses.
/// @param responses  of the voxel, `pitch` apart; all of them if contrast is normalised
inline __device__ float gain_of_voxel(const float* responses, Count pitch, int count,
                                      const ResponseScale& scale) {
  if (!scale.normalises_contrast) return scale.gain;
  float sum = 0;
  for (int r = 0; r < count; ++r) {
    const float response = scale.gain * responses[r * pitch];
    sum += response * response;
  }
  return scale.gain * contrast_gain(sum);
}

}  // namespace synthoscope::kernels::device
