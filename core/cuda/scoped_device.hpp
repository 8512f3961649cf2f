// SPDX-License-Identifier: MIT
// core/cuda/scoped_device.hpp — makes a device the current one of this thread, for a while.
#pragma once
#include "core/cuda/device.hpp"

namespace synthoscope::cuda {

/// What CUDA calls without naming a device goes to this one until the end of the scope.
class ScopedDevice {
 public:
  /// @throws CudaError  there is no such device, or it cannot be used.
  explicit ScopedDevice(DeviceId device);
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;
  ~ScopedDevice();

 private:
  int before_ = 0;
};

}  // namespace synthoscope::cuda
