// SPDX-License-Identifier: MIT
// kernels/device/code/sources.hpp — device code of this library as text; CMake makes sources.cpp.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/runtime_compiler.hpp"

namespace synthoscope::kernels::device {

std::vector<cuda::SourceText> device_sources();

/// Returns the options of NVRTC for these sources: functions are the device's, and multiply-adds
/// are fused only where the text says so.
inline std::vector<std::string> device_options() {
  return {"-default-device", "-fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true"};
}

}  // namespace synthoscope::kernels::device
