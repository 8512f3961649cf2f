// SPDX-License-Identifier: MIT
// core/cuda/runtime/check.hpp — what CUDA returns becomes an exception with one sentence.
#pragma once
#include <string_view>

namespace synthoscope::cuda {

/// Does nothing where `status`, a cudaError_t, is success. `step` says in words what was attempted:
/// "copy planes to the GPU". An error of work that was enqueued earlier can come up at any step.
/// @throws OutOfDeviceMemory  the device has not so much memory.
/// @throws CudaError          anything else; the sentence holds CUDA's own name of it.
void check(int status, std::string_view step);

}  // namespace synthoscope::cuda
