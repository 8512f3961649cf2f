// SPDX-License-Identifier: MIT
// core/cuda/runtime/described_device.hpp — what is known of a kind of GPU that is not here.
#pragma once
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {

/// Returns a GPU of this compute capability, 90 for 9.0, with all that limits how code is compiled
/// for it; it has no name, and one multiprocessor.
/// @throws InvalidSpec  the capability is not among those described.
/// @source  CUDA C++ Programming Guide, Compute Capabilities: technical specifications.
DeviceInfo described_device(int capability);

}  // namespace synthoscope::cuda
