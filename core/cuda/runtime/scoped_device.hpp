// SPDX-License-Identifier: MIT
// core/cuda/runtime/scoped_device.hpp — makes a device the current one of this thread, for a while.
#pragma once
#include <new>
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {

/// Whether CUDA was started on the device in this process, by us or by somebody else: it takes some
/// hundred MiB of it. A driver that does not tell is taken to have done so.
bool is_started(DeviceId device) noexcept;

/// What CUDA calls without naming a device goes to this one until the end of the scope. Then the
/// thread turns back to the one before, unless CUDA was never started there: a new thread stands at
/// the first device, and turning to it starts CUDA on a device that nobody has asked for. All our
/// calls name theirs, so that threads need not be told.
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
