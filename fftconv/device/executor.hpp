// SPDX-License-Identifier: MIT
// fftconv/device/executor.hpp — runs plans on one GPU.
#pragma once
#include <filesystem>
#include <memory>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Runs plans for a GPU like this one; `machine` and `scratch_folder` as for the host.
/// @param device_bytes  what runs may take of the device's memory, a promise
std::unique_ptr<Executor> make_device_executor(const cuda::DeviceInfo& device,
                                               std::int64_t device_bytes, const Machine& machine,
                                               const std::filesystem::path& scratch_folder = {});

}  // namespace synthoscope::fftconv
