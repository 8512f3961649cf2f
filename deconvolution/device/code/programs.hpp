// SPDX-License-Identifier: MIT
// deconvolution/device/code/programs.hpp — programs of this library's device code.
#pragma once
#include "core/cuda/code/device_library.hpp"

namespace synthoscope::deconvolution::device {

const cuda::DeviceLibrary& device_library();

/// The source of all kernels.
inline constexpr const char* kStepsProgram = "code/steps.cuh";

}  // namespace synthoscope::deconvolution::device
