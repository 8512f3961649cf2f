// SPDX-License-Identifier: MIT
#include "core/cuda/code/nvrtc.hpp"
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <array>
#include <cstdlib>
#include <vector>

namespace synthoscope::cuda {
namespace {

/// In this order: the version that this program was built for, then whatever is there.
std::vector<std::string> library_names() {
  const std::array files{fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000),
                         std::string{"libnvrtc.so"}};
  std::vector<std::string> names{files.begin(), files.end()};
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder && *folder == '/')
      folders.emplace_back(folder);
  folders.emplace_back("/usr/local/cuda");
  for (const auto& folder : folders)
    for (const auto& file : files) names.push_back(fmt::format("{}/lib64/{}", folder, file));
  return names;
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

Nvrtc load() {
  std::string first_failure;
  for (const std::string& name : library_names()) {
    // Never closed: its functions are called until the end
    void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      if (first_failure.empty()) first_failure = ::dlerror();
      continue;
    }
    Nvrtc found;
    if (find(library, "nvrtcVersion", found.version) &&
        find(library, "nvrtcGetErrorString", found.error_text) &&
        find(library, "nvrtcCreateProgram", found.create) &&
        find(library, "nvrtcDestroyProgram", found.destroy) &&
        find(library, "nvrtcAddNameExpression", found.add_name) &&
        find(library, "nvrtcCompileProgram", found.compile) &&
        find(library, "nvrtcGetLoweredName", found.lowered_name) &&
        find(library, "nvrtcGetCUBINSize", found.cubin_size) &&
        find(library, "nvrtcGetCUBIN", found.cubin) &&
        find(library, "nvrtcGetProgramLogSize", found.log_size) &&
        find(library, "nvrtcGetProgramLog", found.log))
      return found;
    if (first_failure.empty()) first_failure = fmt::format("{} lacks a function", name);
  }
  Nvrtc absent;
  absent.why_absent = fmt::format(
      "CUDA's runtime compiler NVRTC was not found ({}); install it, set CUDA_HOME to the folder "
      "of "
      "a CUDA that has it, or use the host (--gpus none)",
      first_failure);
  return absent;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc found = load();
  return found;
}

}  // namespace synthoscope::cuda
