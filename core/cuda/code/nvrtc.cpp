// SPDX-License-Identifier: MIT
#include "core/cuda/code/nvrtc.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/cuda/code/shared_library.hpp"

namespace synthoscope::cuda {
namespace {

bool find_all(void* library, Nvrtc& found) {
  return find_function(library, "nvrtcVersion", found.version) &&
         find_function(library, "nvrtcGetErrorString", found.error_text) &&
         find_function(library, "nvrtcCreateProgram", found.create) &&
         find_function(library, "nvrtcDestroyProgram", found.destroy) &&
         find_function(library, "nvrtcAddNameExpression", found.add_name) &&
         find_function(library, "nvrtcCompileProgram", found.compile) &&
         find_function(library, "nvrtcGetLoweredName", found.lowered_name) &&
         find_function(library, "nvrtcGetCUBINSize", found.cubin_size) &&
         find_function(library, "nvrtcGetCUBIN", found.cubin) &&
         find_function(library, "nvrtcGetProgramLogSize", found.log_size) &&
         find_function(library, "nvrtcGetProgramLog", found.log);
}

Nvrtc load() {
  Nvrtc found;
  // The version that this program was built for, then whatever is there
  const std::string failure =
      open_library({fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000), "libnvrtc.so"},
                   [&](void* library) { return find_all(library, found); });
  if (failure.empty()) return found;
  Nvrtc absent;
  absent.why_absent = fmt::format(
      "CUDA's runtime compiler NVRTC was not found ({}); install it, set CUDA_HOME to the folder "
      "of a CUDA that has it, or use the host (--gpus none)",
      failure);
  return absent;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc found = load();
  return found;
}

}  // namespace synthoscope::cuda
