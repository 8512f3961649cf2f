// SPDX-License-Identifier: MIT
// fftconv/device/parts/run.hpp — carries a plan in frequency parts out on one device.
#pragma once
#include <filesystem>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

/// As run_on_device, for a plan of strategy `parts` with one term and a sink that takes any box.
/// Where the host folds, parts that do not fit its memory go to a nameless file in
/// `scratch_folder`.
/// @param device_memory  budget of this device, at most --gpu-memory
/// @throws as Executor::run, and CudaError, OutOfDeviceMemory.
RunReport run_parts_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                              const std::filesystem::path& scratch_folder,
                              const RunContext& context);

}  // namespace synthoscope::fftconv::device
