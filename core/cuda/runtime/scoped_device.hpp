// SPDX-License-Identifier: MIT
// core/cuda/runtime/scoped_device.hpp — makes a device the current one of this thread, for a while.
#pragma once
#include <new>
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {

/// Returns whether this process has a CUDA context on the device, created by us or by another
/// library; a context takes some hundred MiB. True if the driver cannot tell.
bool is_started(DeviceId device) noexcept;

/// Makes a device current for CUDA calls that name no device, until the end of the scope. Then the
/// thread returns to its previous device, unless that one has no context yet: a new thread starts
/// at device 0, and returning to it would create a context that nothing needs. All our own calls
/// name their device.
class ScopedDevice {
 public:
  /// @throws CudaError  there is no such device, or it cannot be used.
  explicit ScopedDevice(DeviceId device);
  /// For what must not throw: where it cannot be used, what follows fails by itself.
  ScopedDevice(DeviceId device, std::nothrow_t) noexcept;
  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice& operator=(const ScopedDevice&) = delete;
  ~ScopedDevice();

 private:
  int before_ = 0;
  DeviceId device_;
};

}  // namespace synthoscope::cuda
