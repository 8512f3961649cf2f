// SPDX-License-Identifier: MIT
// kernels/device/device_variance.hpp — local statistics on a device.
#pragma once
#include <memory>
#include "kernels/contrast.hpp"
#include "kernels/device_operation.hpp"
#include "kernels/local_variance.hpp"

namespace synthoscope::kernels::device {

/// local_variance by threewise merges, to the bits of the host. Flat triangles of half-widths 2, 4,
/// ..., up to 32 are made in one sweep, if a block may have the shared memory; other windows axis
/// by axis, and those whose parts are too many for that merge by merge, in memory. In a build
/// without CUDA, null, as are the others.
std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellCounts tell);

/// local_contrast, whose windows are merged in the same ways and whose bands are added up as they
/// come, to the bits of the host.
std::unique_ptr<DeviceOperation> make_device_contrast(const ContrastSpec& spec, TellCounts tell);

/// direct_variance, to the bits of the host but for those of NaN: window by window, a thread a
/// voxel; and by integral sums.
std::unique_ptr<DeviceOperation> make_device_direct_variance(const LocalVarianceSpec& spec,
                                                             TellCounts tell);
std::unique_ptr<DeviceOperation> make_device_integral_variance(const LocalVarianceSpec& spec,
                                                               TellCounts tell);

}  // namespace synthoscope::kernels::device
