// SPDX-License-Identifier: MIT
// kernels/device/word_map_arguments.hpp — what the kernel is told that finds nearest words; read by
// the compiler of the host and by that of devices.
#pragma once
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

struct WordMapArguments {
  const float* responses = nullptr;  ///< response r of voxel i at r * count + i
  Count count = 0;
  ResponseScale scale;
  // As CentredWords has them; and words as they are
  const float* middle = nullptr;
  const float* words = nullptr;
  const float* halves = nullptr;
  const float* centroids = nullptr;
  int size = 0;
  float largest = 0;
  void* out = nullptr;
};

inline constexpr int kWordThreads = 256;

/// Voxels of a thread: their features are in its registers.
constexpr int word_voxels(int features) {
  return features <= 16 ? 4 : features <= 32 ? 2 : 1;
}

}  // namespace synthoscope::kernels::device
