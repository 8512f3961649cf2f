// SPDX-License-Identifier: MIT
// kernels/device/code/programs.hpp — programs of this library's device code, and how kernels are
// named.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/cuda_name.hpp"
#include "core/cuda/code/module.hpp"
#include "kernels/device/code/window_arguments.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {

/// Returns the program of one device source, such as "correlate/separable.cuh".
cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability);

/// Returns a kernel, compiled and loaded on first use. @throws CudaError
cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel);

using cuda::cuda_name;

HeldVoxels held_voxels(const DeviceWindow& window);
MadeVoxels made_voxels(const Box3& box, std::byte* out, unsigned long long* counts);

}  // namespace synthoscope::kernels::device
