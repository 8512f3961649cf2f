// SPDX-License-Identifier: MIT
// simulator/phantom/device_phantom.hpp — light and labels of a phantom, made on a device, where
// they are needed.
#pragma once
#include <memory>
#include "core/stream/device_stream.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator::device {

/// Make the voxels of a PhantomSource and of a LabelSource, with the same bits. `phantom` must
/// exist when they are prepared. Null in a build without CUDA.
std::unique_ptr<cuda::DeviceSource> make_device_light(const Phantom& phantom,
                                                      const LightSpec& light);
/// @param labels  of each object; must live as long as `phantom`
std::unique_ptr<cuda::DeviceSource> make_device_labels(const Phantom& phantom,
                                                       const std::vector<std::uint16_t>& labels);

}  // namespace synthoscope::simulator::device
