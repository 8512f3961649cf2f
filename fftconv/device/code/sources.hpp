// SPDX-License-Identifier: MIT
// fftconv/device/code/sources.hpp — this folder's device code as text; sources.cpp is made by
// CMake.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::fftconv::device {

std::vector<cuda::SourceText> device_sources();

/// Options of NVRTC that they are compiled with: functions are the device's.
inline std::vector<std::string> device_options() {
  return {"-default-device"};
}

}  // namespace synthoscope::fftconv::device
