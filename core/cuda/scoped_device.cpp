// SPDX-License-Identifier: MIT
#include "core/cuda/scoped_device.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/cuda/check.hpp"

namespace synthoscope::cuda {

ScopedDevice::ScopedDevice(DeviceId device) {
  check(cudaGetDevice(&before_), "ask which GPU is the current one");
  // Also where it is current already: only this starts CUDA on it
  check(cudaSetDevice(device.index), fmt::format("turn to GPU {}", device.index));
}

ScopedDevice::~ScopedDevice() {
  int now = 0;
  if (cudaGetDevice(&now) != cudaSuccess || now != before_) cudaSetDevice(before_);
}

}  // namespace synthoscope::cuda
