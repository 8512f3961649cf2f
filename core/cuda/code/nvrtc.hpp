// SPDX-License-Identifier: MIT
// core/cuda/code/nvrtc.hpp — the functions of NVRTC that we call, found in its library at run time.
#pragma once
#include <nvrtc.h>
#include <string>

namespace synthoscope::cuda {

/// All null, and a reason, where the library was not found or lacks a function.
struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcGetErrorString) error_text = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcAddNameExpression) add_name = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcGetLoweredName) lowered_name = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  std::string why_absent;
};

/// Looked for once: where the loader looks, then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda.
const Nvrtc& nvrtc();

}  // namespace synthoscope::cuda
