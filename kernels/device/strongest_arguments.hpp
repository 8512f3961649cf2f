// SPDX-License-Identifier: MIT
// kernels/device/strongest_arguments.hpp — what the kernels are told that choose the strongest
// response; read by the compiler of the host and by that of devices, so it includes nothing.
#pragma once
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Compares `next` with the strongest so far.
struct StrongestArguments {
  const float* next = nullptr;
  float* strongest = nullptr;
  Count count = 0;  ///< of voxels
  bool is_first = false, takes_magnitudes = false;
  void* out = nullptr;                   ///< of the last: where the result comes
  unsigned long long* counts = nullptr;  ///< as MadeVoxels::counts
};

inline constexpr int kStrongestThreads = 256;

}  // namespace synthoscope::kernels::device
