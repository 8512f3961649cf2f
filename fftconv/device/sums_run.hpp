// SPDX-License-Identifier: MIT
// fftconv/device/sums_run.hpp — one run on a device of a plan that sums over the kernel.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

/// run_sums by way of a device, brick by brick; see run_on_device for what is thrown.
RunReport run_sums_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                             const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                             const RunContext& context);

}  // namespace synthoscope::fftconv::device
