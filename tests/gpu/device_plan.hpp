// SPDX-License-Identifier: MIT
// tests/gpu/device_plan.hpp — plans of the host, cut alike, for a device.
#pragma once
#include "fftconv/device/device_layout.hpp"
#include "fftconv/run_memory.hpp"

namespace synthoscope::test {

inline constexpr std::int64_t kDeviceBytes = std::int64_t{4} << 30;

inline fftconv::Plan moved(fftconv::Plan plan, const cuda::DeviceInfo& device,
                           std::int64_t batch_planes = 3) {
  plan.where = fftconv::Place::gpu;
  plan.machine.gpu = fftconv::Gpu{device.name, device.capability,
                                  fftconv::device::block_limits(device), kDeviceBytes};
  plan.cut.batch_planes = batch_planes;
  plan.cut.keep_transfer = false;
  const fftconv::RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

}  // namespace synthoscope::test
