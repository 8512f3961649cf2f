// SPDX-License-Identifier: MIT
#include "fftconv/fft/cufft.hpp"
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
  Cufft found;
  // CUDA 13, CUDA 12, any other
  const std::string failure =
      cuda::open_library({"libcufft.so.12", "libcufft.so.11", "libcufft.so"},
                         [&](void* library) { return find_all(library, found); });
  if (failure.empty()) return found;
  Cufft absent;
  absent.why_absent = fmt::format(
      "cuFFT was not found ({}); install it, set CUDA_HOME to the folder of a CUDA that has it",
      failure);
  return absent;
}

}  // namespace

const Cufft& cufft() {
  static const Cufft kFound = load();
  return kFound;
}

}  // namespace synthoscope::fftconv
