// SPDX-License-Identifier: MIT
// fftconv/device/run.hpp — carries a plan out on one device: all strategies but parts.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

class Timeline;

/// Reads, computes and writes at the same time. Sources and the epilogue work on the device where
/// they can (on_device); voxels that are pinned (Source::pinned, Sink::pinned) are not copied on
/// the host.
/// @param timeline       notes what each batch took; null for none
/// @param device_memory  the device's own budget: gpu-memory's promise
/// @throws as Executor::run, and CudaError, OutOfDeviceMemory.
RunReport run_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                        const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context, Timeline* timeline = nullptr);

}  // namespace synthoscope::fftconv::device
