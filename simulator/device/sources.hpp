// SPDX-License-Identifier: MIT
// simulator/device/sources.hpp — device code of this library as text; sources.cpp is made by CMake.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::simulator::device {

std::vector<cuda::SourceText> device_sources();

/// Returns the NVRTC options for device code: functions are device functions, and arithmetic equals
/// the host's to the last bit.
inline std::vector<std::string> device_options() {
  return {"-default-device", "-fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true"};
}

}  // namespace synthoscope::simulator::device
