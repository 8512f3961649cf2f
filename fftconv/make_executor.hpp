// SPDX-License-Identifier: MIT
// fftconv/make_executor.hpp — one executor for all plans of a machine: each runs where it says.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include "core/cuda/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// @param machine         what it offers to the planner
/// @param device          that plans for a GPU run on; without one they are refused (CudaError)
/// @param scratch_folder  as for make_host_executor
[[nodiscard]] std::unique_ptr<Executor> make_executor(
    const Machine& machine, const std::optional<cuda::DeviceInfo>& device,
    const std::filesystem::path& scratch_folder = {});

}  // namespace synthoscope::fftconv
