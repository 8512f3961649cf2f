// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include "simulator/device/camera.hpp"

namespace synthoscope::simulator::device {

std::unique_ptr<cuda::DeviceEpilogue> make_device_camera(CameraEpilogue&) {
  return nullptr;
}

}  // namespace synthoscope::simulator::device
