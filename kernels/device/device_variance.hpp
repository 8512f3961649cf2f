// SPDX-License-Identifier: MIT
// kernels/device/device_variance.hpp — local statistics on a device.
#pragma once
#include <functional>
#include <memory>
#include "kernels/device_operation.hpp"
#include "kernels/local_variance.hpp"

namespace synthoscope::kernels::device {

/// Told of voxels that storing changed, when a run is finished.
using TellStored = std::function<void(const StoredCounts&)>;

/// local_variance by threewise merges. Flat triangles of half-widths 2, 4, ..., 32 as float32 are
/// made in one sweep, if a block may have the shared memory; all else merge by merge, in memory.
/// Either way merges are those of the host, in the host's order where windows are scales from 2 on.
/// In a build without CUDA, null.
std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellStored tell);

}  // namespace synthoscope::kernels::device
