// SPDX-License-Identifier: MIT
// What Python may call in a build without CUDA.
#include "core/error.hpp"
#include "python/convolve_on_gpu.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void refuse(const nb::args&, const nb::kwargs&) {
  throw CudaError(
      "use arrays on a GPU: this package was built without CUDA; build it with "
      "SYNTHOSCOPE_CUDA=ON where CUDA is installed, or bring the arrays to the host");
}

}  // namespace

void add_convolve_on_gpu(nb::module_& module) {
  for (const char* name : {"convolve_on_gpu", "fetch"})
    module.def(name, refuse, "Refuses: this package was built without CUDA.");
}

}  // namespace synthoscope::python
