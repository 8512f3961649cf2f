// SPDX-License-Identifier: MIT
// fftconv/device/device_run.hpp — carries a plan out on one device: all strategies but parts.
#pragma once
#include "core/cuda/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

/// @param device_memory  the device's own budget: gpu-memory's promise
/// @throws as Executor::run, and CudaError, OutOfDeviceMemory.
RunReport run_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                        const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context);

}  // namespace synthoscope::fftconv::device
