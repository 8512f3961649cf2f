// SPDX-License-Identifier: MIT
// core/cuda/code/shared_library.hpp — libraries of CUDA that are opened when the program runs, so
// that it starts without them.
#pragma once
#include <dlfcn.h>
#include <string>
#include <vector>

namespace synthoscope::cuda {

/// Returns where to look for a library with one of the file names `files`: where the loader looks,
/// then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda.
std::vector<std::string> library_names(const std::vector<std::string>& files);

/// Sets `function` to the function of that name. Returns whether the library has it.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace synthoscope::cuda
