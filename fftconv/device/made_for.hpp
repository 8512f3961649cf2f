// SPDX-License-Identifier: MIT
// fftconv/device/made_for.hpp — whether a device is like the one that a plan was made for.
#pragma once
#include <span>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv::device {

/// Checks that a plan was made for this GPU and for voxels of this width.
/// @throws PlanError  the plan is for the host, or for narrower voxels.
/// @throws CudaError  the device is another one.
void require_made_for(const Plan& plan, const cuda::DeviceInfo& device, std::span<const Term> terms,
                      const Sink& sink);

}  // namespace synthoscope::fftconv::device
