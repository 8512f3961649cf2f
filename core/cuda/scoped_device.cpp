// SPDX-License-Identifier: MIT
#include "core/cuda/scoped_device.hpp"
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/cuda/check.hpp"

namespace synthoscope::cuda {
namespace {

/// A function of the driver, which is found when the program runs; null where it has none.
/// @param version  of CUDA, that it came with
template <class Function>
Function driver_function(const char* name, unsigned version) noexcept {
  void* found = nullptr;
  auto result = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
  if (status == cudaSuccess && result == cudaDriverEntryPointSuccess)
    return reinterpret_cast<Function>(found);
  cudaGetLastError();
  return nullptr;
}

}  // namespace

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
  check(cudaGetDevice(&before_), "ask which GPU is the current one");
  // Also where it is current already: only this starts CUDA on it
  check(cudaSetDevice(device.index), fmt::format("turn to GPU {}", device.index));
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
