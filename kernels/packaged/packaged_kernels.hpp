// SPDX-License-Identifier: MIT
// kernels/packaged/packaged_kernels.hpp — the kernels that come compiled with a package.
#pragma once
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::kernels {

/// Returns the kernels of common operations on planes and volumes of uint8, uint16 and float32:
/// small kernels; Gaussians, boxes, slopes and Laplacians of usual widths; resampling along the
/// axes, in planes and in space; local statistics of usual windows; banks of filters. All others
/// are compiled when they are wanted.
/// @param device  a GPU, or the description of one
std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device);

}  // namespace synthoscope::kernels
