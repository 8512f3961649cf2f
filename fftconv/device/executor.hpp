// SPDX-License-Identifier: MIT
// fftconv/device/executor.hpp — runs plans on one GPU, and checks that they were made for it.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Runs plans for a GPU like this one; `machine` and `scratch_folder` as for the host.
/// @param device_bytes  device memory that runs may use; they never use more
std::unique_ptr<Executor> make_device_executor(const cuda::DeviceInfo& device,
                                               std::int64_t device_bytes, const Machine& machine,
                                               const std::filesystem::path& scratch_folder = {});

}  // namespace synthoscope::fftconv

namespace synthoscope::fftconv::device {

/// Checks that a plan was made for this GPU and for voxels of this width.
/// @throws PlanError  the plan is for the host, or for narrower voxels.
/// @throws CudaError  the device is another one.
void require_made_for(const Plan& plan, const cuda::DeviceInfo& device, std::span<const Term> terms,
                      const Sink& sink);

}  // namespace synthoscope::fftconv::device
