// SPDX-License-Identifier: MIT
#include "core/stream.hpp"
#include "core/cuda/device_stream.hpp"

namespace synthoscope {

std::unique_ptr<cuda::DeviceSource> Source::make_on_device() {
  return nullptr;
}

std::unique_ptr<cuda::DeviceEpilogue> Epilogue::make_on_device() {
  return nullptr;
}

}  // namespace synthoscope
