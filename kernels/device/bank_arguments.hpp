// SPDX-License-Identifier: MIT
// kernels/device/bank_arguments.hpp — what the kernels are told that make responses of a bank of
// filters and store them; read by the compiler of the host and by that of devices.
#pragma once
#include "kernels/body/bank_answer.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Fields of `count` voxels, and responses that are made of them.
struct AnswerArguments {
  const float* fields = nullptr;  ///< field f of voxel i at f * pitch + i
  const float* mean = nullptr;    ///< of the voxels around; null where fields are not freed of it
  float mean_shares[kMostAnswerFields] = {};
  Count count = 0, pitch = 0;
  float* responses = nullptr;  ///< response r of voxel i at r * pitch + i
};

/// Responses of planes of an image on their way to where they are stored: response r of plane p
/// becomes plane p * all + r - skipped of the result.
struct StoredResponses {
  const float* responses = nullptr;  ///< those from `first` on, as AnswerArguments::responses
  Count pitch = 0;
  Count plane = 0, planes = 0;  ///< voxels of one, and their number
  int first = 0, made = 0, all = 0;
  Count skipped = 0, stored = 0;  ///< planes of the result before its first one, and its number
  ResponseScale scale;
  void* out = nullptr;
  unsigned long long* counts = nullptr;  ///< as MadeVoxels::counts
};

inline constexpr int kBankThreads = 256;

}  // namespace synthoscope::kernels::device
