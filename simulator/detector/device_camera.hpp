// SPDX-License-Identifier: MIT
// simulator/detector/device_camera.hpp — the camera on a device, where the photons are.
#pragma once
#include <memory>
#include "core/stream/device_stream.hpp"
#include "simulator/detector/camera.hpp"

namespace synthoscope::simulator::device {

/// Returns an epilogue that records what `camera` would record, with the same bits, and adds its
/// report to `camera`. Null in a build without CUDA.
std::unique_ptr<cuda::DeviceEpilogue> make_device_camera(CameraEpilogue& camera);

}  // namespace synthoscope::simulator::device
