// SPDX-License-Identifier: MIT
// fftconv/device/run.hpp — carries a plan out on one device: all strategies but parts.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

class Timeline;

/// Runs a plan on one device; reads, computes and writes at the same time. Sources and the epilogue
/// work on the device if they can (Source::make_on_device, Epilogue::make_on_device). The host
/// copies no voxels that devices read or write by themselves (Source::device_readable,
/// Sink::device_writable); those in the memory of this device are used where they lie.
/// @param timeline       records the times of each batch; null for none
/// @param device_memory  the budget of the device, --gpu-memory
/// @throws as Executor::run, and CudaError, OutOfDeviceMemory.
RunReport run_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                        const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context, Timeline* timeline = nullptr);

/// Runs a plan of is_by_sums on one device, brick by brick. @throws as run_on_device
RunReport run_sums_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                             const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                             const RunContext& context);

/// Returns whether run_resident can run a plan: image, kernel and result are in the memory of
/// `device` alone, the result is not cut into tiles or turns and is stored as computed, and no mean
/// is removed.
bool is_resident(cuda::DeviceId device, const Plan& plan, std::span<const Term> terms,
                 Epilogue& epilogue, Sink& sink, const RunContext& context);

/// Runs a plan for which is_resident holds, with the bits of run_on_device. Reads and writes voxels
/// in place, all planes at once, in the calling thread.
RunReport run_resident(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                       const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                       const RunContext& context);

}  // namespace synthoscope::fftconv::device
