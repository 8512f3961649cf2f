// SPDX-License-Identifier: MIT
// kernels/variance/device_variance.hpp — local statistics on a device.
#pragma once
#include <memory>
#include "kernels/operation/device_operation.hpp"
#include "kernels/variance/contrast.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::kernels::device {

/// Makes local_variance by threewise merges, with the bits of the host. Flat triangles of
/// half-widths 2, 4, ..., up to 32 are made in one sweep, if a block can have the shared memory.
/// Other windows are made axis by axis, or merge by merge in memory if they have too many parts for
/// that. Null in a build without CUDA, as are the others.
std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellCounts tell);

/// Makes local_contrast, with the bits of the host: windows are merged in the same ways, and bands
/// are added up as windows are finished.
std::unique_ptr<DeviceOperation> make_device_contrast(const ContrastSpec& spec, TellCounts tell);

/// Make direct_variance, with the bits of the host except for NaN: the first goes through every
/// window, a thread a voxel; the second uses integral sums.
std::unique_ptr<DeviceOperation> make_device_direct_variance(const LocalVarianceSpec& spec,
                                                             TellCounts tell);
std::unique_ptr<DeviceOperation> make_device_integral_variance(const LocalVarianceSpec& spec,
                                                               TellCounts tell);

}  // namespace synthoscope::kernels::device
