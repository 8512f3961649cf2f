// SPDX-License-Identifier: MIT
// core/cuda/runtime/check.hpp — what CUDA returns becomes an exception with one sentence.
#pragma once
#include <string_view>

namespace synthoscope::cuda {

/// Throws unless `status`, a cudaError_t, is success. `step` says what was attempted: "copy planes
/// to the GPU". An error of work that was enqueued earlier can surface at any step.
/// @throws OutOfDeviceMemory  not enough memory on the device.
/// @throws CudaError          any other error; the message holds CUDA's name of it.
void check(int status, std::string_view step);

}  // namespace synthoscope::cuda
