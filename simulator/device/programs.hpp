// SPDX-License-Identifier: MIT
// simulator/device/programs.hpp — programs of this library's device code.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/module.hpp"

namespace synthoscope::simulator::device {

/// Returns the program of one device source, such as "camera.cuh".
/// @param kernels  as CompileRequest names them, without our namespace
cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability);

/// Compiles a kernel, or finds it compiled before, and loads it. @throws CudaError
cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel);

}  // namespace synthoscope::simulator::device
