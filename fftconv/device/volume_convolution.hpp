// SPDX-License-Identifier: MIT
// fftconv/device/volume_convolution.hpp — cyclic convolution by cuFFT's own transforms of real
// volumes, which share nothing with ours.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "core/volume/extent.hpp"

namespace synthoscope::fftconv::device {

/// Convolves `image` with `kernel` in double precision on a GPU: both are volumes of
/// padded_volume(extent) doubles in the host's memory, and the result replaces `image`. The GPU
/// holds both, and cuFFT's workspace.
/// @throws CudaError, OutOfDeviceMemory
void convolve_volumes(const cuda::DeviceInfo& device, const Extent3& extent, double* image,
                      const double* kernel, const RunContext& context);

}  // namespace synthoscope::fftconv::device
