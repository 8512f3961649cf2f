// SPDX-License-Identifier: MIT
// kernels/device/device_variance.hpp — local statistics on a device.
#pragma once
#include <memory>
#include "kernels/device_operation.hpp"
#include "kernels/local_variance.hpp"

namespace synthoscope::kernels::device {

/// local_variance by threewise merges. Flat triangles of half-widths 2, 4, ..., 32 as float32 are
/// made in one sweep, if a block may have the shared memory; other windows axis by axis, and those
/// whose parts are too many for that merge by merge, in memory. Merges are those of the host either
/// way, in the host's order but for such triangles where those from 2 on are not all asked for.
/// In a build without CUDA, null.
std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellCounts tell);

}  // namespace synthoscope::kernels::device
