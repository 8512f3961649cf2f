// SPDX-License-Identifier: MIT
// core/cuda/code/shared_library.hpp — libraries of CUDA that are opened when the program runs, so
// that it starts without them.
#pragma once
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

namespace synthoscope::cuda {

/// Opens the first library with one of the file names `files` in which `find_all` finds all its
/// functions. Looks where the loader looks, then in $CUDA_HOME, $CUDA_PATH and /usr/local/cuda. The
/// library is never closed, because its functions are called until the end.
/// @return  why there is none; empty if one was opened
std::string open_library(const std::vector<std::string>& files,
                         const std::function<bool(void* library)>& find_all);

/// Sets `function` to the function of that name. Returns whether the library has it.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace synthoscope::cuda
