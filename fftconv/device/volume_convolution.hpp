// SPDX-License-Identifier: MIT
// fftconv/device/volume_convolution.hpp — cyclic convolution by cuFFT's own transforms of real
// volumes, which share nothing with ours.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/run_context.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::fftconv::device {

/// Convolves `image` with `kernel` in double precision on a GPU: both are volumes of
/// padded_volume(extent) doubles in the host's memory, and the result replaces `image`. The GPU
/// holds volume_convolution_bytes.
/// @throws CudaError, OutOfDeviceMemory
/// @throws PlanError  `device_memory` is too small.
void convolve_volumes(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                      const Extent3& extent, double* image, const double* kernel,
                      const RunContext& context);

/// Returns the bytes of the GPU's memory of convolve_volumes: both volumes and the workspace that
/// cuFFT asks for. @throws CudaError
std::int64_t volume_convolution_bytes(const cuda::DeviceInfo& device, const Extent3& extent);

}  // namespace synthoscope::fftconv::device
