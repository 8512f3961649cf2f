// SPDX-License-Identifier: MIT
// kernels/device/banks/bank_arguments.hpp — arguments of the kernels that make and store the
// responses of a bank of filters; host and device compile this file.
#pragma once
#include "kernels/body/bank_answer.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Fields of `count` voxels, and the responses that are made from them.
struct AnswerArguments {
  const float* fields = nullptr;  ///< field f of voxel i at f * pitch + i
  const float* mean = nullptr;    ///< of the voxels around; null if no share of it is subtracted
  float mean_shares[kMaxAnswerFields] = {};
  Count count = 0, pitch = 0;
  float* responses = nullptr;  ///< response r of voxel i at r * pitch + i
};

/// Responses at planes of an image, and where they are stored: response r of plane p becomes plane
/// p * all + r - skipped of the result.
struct StoredResponses {
  const float* responses = nullptr;  ///< from `first` on, as AnswerArguments::responses
  Count pitch = 0;
  Count plane = 0, planes = 0;  ///< voxels of a plane, and number of planes
  int first = 0, made = 0, all = 0;
  Count skipped = 0, stored = 0;  ///< planes before the result's first one, and planes of the
                                  ///< result
  ResponseScale scale;
  void* out = nullptr;
  unsigned long long* counts = nullptr;  ///< as MadeVoxels::counts
};

inline constexpr int kBankThreads = 256;

}  // namespace synthoscope::kernels::device
