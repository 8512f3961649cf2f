// SPDX-License-Identifier: MIT
// fftconv/device/passes/programs.hpp — device code of this library, compiled for a device when it
// is wanted.
#pragma once
#include <map>
#include <string>
#include <vector>
#include "core/cuda/code/module.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/device/passes/kernel_names.hpp"

namespace synthoscope::fftconv::device {

/// Kernels by their names. All are compiled at the same time, each by itself, so that one that was
/// compiled before, for another plan, is found again.
/// @throws CudaError
std::map<std::string, cuda::Kernel> compile_kernels(const cuda::DeviceInfo& device,
                                                    const std::vector<WantedKernel>& wanted,
                                                    TaskPool& pool);

}  // namespace synthoscope::fftconv::device
