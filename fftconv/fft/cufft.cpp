// SPDX-License-Identifier: MIT
#include "fftconv/fft/cufft.hpp"
#include <dlfcn.h>
#include <fmt/format.h>
#include "core/cuda/code/shared_library.hpp"

namespace synthoscope::fftconv {
namespace {

bool find_all(void* library, Cufft& found) {
  using cuda::find_function;
  return find_function(library, "cufftGetVersion", found.version) &&
         find_function(library, "cufftCreate", found.create) &&
         find_function(library, "cufftDestroy", found.destroy) &&
         find_function(library, "cufftSetAutoAllocation", found.set_auto_allocation) &&
         find_function(library, "cufftMakePlanMany64", found.make_plan_many) &&
         find_function(library, "cufftSetWorkArea", found.set_work_area) &&
         find_function(library, "cufftSetStream", found.set_stream) &&
         find_function(library, "cufftExecC2C", found.exec_complex) &&
         find_function(library, "cufftExecD2Z", found.exec_double_to_complex) &&
         find_function(library, "cufftExecZ2D", found.exec_complex_to_double);
}

Cufft load() {
  std::string first_failure;
  // That of CUDA 13, then that of CUDA 12, then whatever is there
  for (const std::string& name :
       cuda::library_names({"libcufft.so.12", "libcufft.so.11", "libcufft.so"})) {
    // Never closed: its functions are called until the end
    void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      if (first_failure.empty()) first_failure = ::dlerror();
      continue;
    }
    if (Cufft found; find_all(library, found)) return found;
    if (first_failure.empty()) first_failure = fmt::format("{} lacks a function", name);
  }
  Cufft absent;
  absent.why_absent = fmt::format(
      "cuFFT was not found ({}); install it, set CUDA_HOME to the folder of a CUDA that has it, or "
      "use --fft own",
      first_failure);
  return absent;
}

}  // namespace

const Cufft& cufft() {
  static const Cufft kFound = load();
  return kFound;
}

}  // namespace synthoscope::fftconv
