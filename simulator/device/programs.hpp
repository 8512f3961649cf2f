// SPDX-License-Identifier: MIT
// simulator/device/programs.hpp — programs of this library's device code.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/module.hpp"

namespace synthoscope::simulator::device {

/// The program that consists of one of the device sources, "camera.cuh". @param kernels  as
/// CompileRequest names them, without our namespace
cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability);

/// Compiles, or finds what was compiled before, and loads. @throws CudaError
cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel);

}  // namespace synthoscope::simulator::device
