// SPDX-License-Identifier: MIT
// Functions that every build may call, for a build without CUDA.
#include "core/stream/carry.hpp"
#include "simulator/base/carry_on_device.hpp"
#include "simulator/detector/device_camera.hpp"
#include "simulator/light/device_light.hpp"
#include "simulator/phantom/device_phantom.hpp"

namespace synthoscope::simulator::device {

std::unique_ptr<cuda::DeviceEpilogue> make_device_camera(CameraEpilogue&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceSource> make_device_light(const Phantom&, const LightSpec&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceSource> make_device_labels(const Phantom&,
                                                       const std::vector<std::uint16_t>&) {
  return nullptr;
}

CarriedPlane carried_plane(Source&, const StreamFormat&) {
  return {};
}

void carry_on_device(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
                     const DeviceWorkspace&, const RunContext& context) {
  carry(stage, source, epilogue, sink, context);
}

std::unique_ptr<cuda::DeviceSource> make_counted_light(std::unique_ptr<cuda::DeviceSource>,
                                                       LightLedger&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceSource> make_striped_light(std::unique_ptr<cuda::DeviceSource>,
                                                       const Stripes&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceEpilogue> make_counted_finish(std::unique_ptr<cuda::DeviceEpilogue>,
                                                          LightLedger&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceSource> make_weighted_light(std::unique_ptr<cuda::DeviceSource>,
                                                        const VoxelWeights&) {
  return nullptr;
}

std::unique_ptr<cuda::DeviceEpilogue> make_device_photons(const Background&, const Illumination&) {
  return nullptr;
}

}  // namespace synthoscope::simulator::device
