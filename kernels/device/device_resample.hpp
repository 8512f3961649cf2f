// SPDX-License-Identifier: MIT
// kernels/device/device_resample.hpp — images looked up at other coordinates on a device.
#pragma once
#include <memory>
#include "kernels/device_operation.hpp"
#include "kernels/resample.hpp"

namespace synthoscope::kernels::device {

/// What a Resample does, by the same formulae in the same order: its bits. In a build without CUDA,
/// null; so is it for a warp by tiles.
/// @param of  outlives what is made
std::unique_ptr<DeviceOperation> make_device_resample(const Resample& of, TellCounts tell);

}  // namespace synthoscope::kernels::device
