// SPDX-License-Identifier: MIT
// core/cuda/runtime/peers.hpp — devices that reach each other's memory.
#pragma once
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {

/// Whether `device` can reach the memory of `other`. @throws CudaError
bool can_reach(DeviceId device, DeviceId other);

/// Lets copies between the memories of both go straight from device to device, until the process
/// ends. Without it they go through the host.
/// @returns false  where `device` cannot reach the memory of `other`.  @throws CudaError
bool enable_reach(DeviceId device, DeviceId other);

}  // namespace synthoscope::cuda
