// SPDX-License-Identifier: MIT
// fftconv/device/made_for.hpp — whether a device is like the one that a plan was made for.
#pragma once
#include <span>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv::device {

/// A plan decides by what its GPU is like, and by how wide voxels are.
/// @throws PlanError  it was made for the host, or for narrower voxels.
/// @throws CudaError  the device is another one.
void require_made_for(const Plan& plan, const cuda::DeviceInfo& device, std::span<const Term> terms,
                      const Sink& sink);

}  // namespace synthoscope::fftconv::device
