// SPDX-License-Identifier: MIT
// simulator/device/phantom.hpp — light and labels of a phantom, made where they are wanted: on a
// device.
#pragma once
#include <memory>
#include "core/stream/device_stream.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator::device {

/// The voxels of a PhantomSource and of a LabelSource, with the same bits. `phantom` must be there
/// when they are prepared. Null in a build without CUDA.
std::unique_ptr<cuda::DeviceSource> make_device_light(const Phantom& phantom,
                                                      const LightSpec& light);
/// @param labels  of each object; kept alive as `phantom` is
std::unique_ptr<cuda::DeviceSource> make_device_labels(const Phantom& phantom,
                                                       const std::vector<std::uint16_t>& labels);

}  // namespace synthoscope::simulator::device
