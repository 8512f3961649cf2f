// SPDX-License-Identifier: MIT
// fftconv/device/resident_run.hpp — convolves volumes in the memory of a device, without copies.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

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
