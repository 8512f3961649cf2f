// SPDX-License-Identifier: MIT
// kernels/device/visual_words/word_map_arguments.hpp — arguments of the kernel that finds the
// nearest words; host and device compile this file.
#pragma once
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

struct WordMapArguments {
  const float* responses = nullptr;  ///< response r of voxel i at r * count + i
  Count count = 0;
  ResponseScale scale;
  // As in CentredWords; `centroids` are the words as they were
  const float* middle = nullptr;
  const float* words = nullptr;
  const float* halves = nullptr;
  const float* centroids = nullptr;
  int size = 0;
  float largest = 0;
  void* out = nullptr;
};

inline constexpr int kWordThreads = 256;

/// Returns the voxels of a thread: their features are in its registers.
constexpr int word_voxels(int features) {
  return features <= 16 ? 4 : features <= 32 ? 2 : 1;
}

}  // namespace synthoscope::kernels::device
