// SPDX-License-Identifier: MIT
// fftconv/device/passes/packaged_kernels.hpp — the kernels that come compiled with a package.
#pragma once
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::fftconv::device {

/// Returns the kernels of all lines that plans prefer (is_preferred in tuned_lines.hpp), for voxels
/// of uint8, uint16 and float32, in passes over whole transforms and over parts; and of all
/// measured planes (tuned_planes in plane_shape.hpp), where the device has clusters.
std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device);

}  // namespace synthoscope::fftconv::device
