// SPDX-License-Identifier: MIT
// kernels/resample/device_resample.hpp — images looked up at other coordinates on a device.
#pragma once
#include <memory>
#include "kernels/operation/device_operation.hpp"
#include "kernels/resample/resample.hpp"

namespace synthoscope::kernels::device {

/// Makes a Resample's operation for devices, with the same formulae in the same order: its bits.
/// Null in a build without CUDA, for maps that device code does not know, and for a warp by tiles.
/// @param of  must outlive the result
std::unique_ptr<DeviceOperation> make_device_resample(const Resample& of, TellCounts tell);

}  // namespace synthoscope::kernels::device
