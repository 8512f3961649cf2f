// SPDX-License-Identifier: MIT
#include "core/stream/stream.hpp"
#include "core/stream/device_stream.hpp"

namespace synthoscope {

std::unique_ptr<cuda::DeviceSource> Source::make_on_device() {
  return nullptr;
}

std::unique_ptr<cuda::DeviceEpilogue> Epilogue::make_on_device() {
  return nullptr;
}

}  // namespace synthoscope
