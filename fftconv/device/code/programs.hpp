// SPDX-License-Identifier: MIT
// fftconv/device/code/programs.hpp — programs of this library's device code.
#pragma once
#include "core/cuda/code/device_library.hpp"

namespace synthoscope::fftconv::device {

const cuda::DeviceLibrary& device_library();

/// The source of all kernels that transform.
inline constexpr const char* kProgram = "code/passes.cuh";
/// The source of the kernels beside a library of transforms.
inline constexpr const char* kPlainProgram = "code/plain.cuh";

}  // namespace synthoscope::fftconv::device
