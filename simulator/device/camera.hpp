// SPDX-License-Identifier: MIT
// simulator/device/camera.hpp — the camera where the photons are: on a device.
#pragma once
#include <memory>
#include "core/stream/device_stream.hpp"
#include "simulator/detector/camera.hpp"

namespace synthoscope::simulator::device {

/// Records what `camera`, which it adds its report to, would record, with the same bits. Null in a
/// build without CUDA.
std::unique_ptr<cuda::DeviceEpilogue> make_device_camera(CameraEpilogue& camera);

}  // namespace synthoscope::simulator::device
