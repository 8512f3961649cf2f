// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/scoped_device.hpp"
#include <cuda.h>
#include <fmt/format.h>
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/driver_function.hpp"

namespace synthoscope::cuda {

bool is_started(DeviceId device) noexcept {
  static const auto handle_of = driver_function<decltype(&cuDeviceGet)>("cuDeviceGet", 2000);
  static const auto state_of =
      driver_function<decltype(&cuDevicePrimaryCtxGetState)>("cuDevicePrimaryCtxGetState", 7000);
  CUdevice handle = 0;
  unsigned flags = 0;
  int active = 0;
  const bool told = handle_of && state_of && handle_of(&handle, device.index) == CUDA_SUCCESS &&
                    state_of(handle, &flags, &active) == CUDA_SUCCESS;
  return !told || active != 0;
}

ScopedDevice::ScopedDevice(DeviceId device) : device_{device} {
  check(cudaGetDevice(&before_), "read which GPU is the current one");
  // Also where it is current already: only this starts CUDA on it
  check(cudaSetDevice(device.index), fmt::format("switch to GPU {}", device.index));
}

ScopedDevice::ScopedDevice(DeviceId device, std::nothrow_t) noexcept
    : before_{device.index}, device_{device} {
  cudaGetDevice(&before_);
  cudaSetDevice(device.index);
}

ScopedDevice::~ScopedDevice() {
  if (before_ != device_.index && is_started({before_})) cudaSetDevice(before_);
}

}  // namespace synthoscope::cuda
