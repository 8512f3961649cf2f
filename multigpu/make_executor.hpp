// SPDX-License-Identifier: MIT
// multigpu/make_executor.hpp — one executor for all plans of a machine: each runs where it says.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"
#include "fftconv/team.hpp"

namespace synthoscope::multigpu {

/// @param machine         the memory budget and rates that plans are made with
/// @param devices         that plans for a GPU run on, all of them alike; without any they are
///                        refused (CudaError)
/// @param scratch_folder  as for make_host_executor
/// @param team            with whom plans in frequency parts are carried out, on the host; may be
///                        null
[[nodiscard]] std::unique_ptr<fftconv::Executor> make_executor(
    const fftconv::Machine& machine, const std::vector<cuda::DeviceInfo>& devices,
    const std::filesystem::path& scratch_folder = {}, fftconv::Team* team = nullptr);

}  // namespace synthoscope::multigpu
