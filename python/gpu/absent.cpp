// SPDX-License-Identifier: MIT
// What Python may call in a build without CUDA.
#include "core/base/error.hpp"
#include "python/gpu/on_gpu.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void refuse(const nb::args&, const nb::kwargs&) {
  throw CudaError(
      "use arrays on a GPU: this package was built without CUDA; build it with SYNTHOSCOPE_CUDA=ON "
      "where CUDA is installed, or copy the arrays to the host");
}

void add_refusals(nb::module_& module, std::initializer_list<const char*> names) {
  for (const char* name : names)
    module.def(name, refuse, "Raises an error: this package was built without CUDA.");
}

}  // namespace

void add_convolve_on_gpu(nb::module_& module) {
  add_refusals(module, {"convolve_on_gpu", "fetch"});
}

void add_neighbourhood_on_gpu(nb::module_& module) {
  add_refusals(module, {"correlate_on_gpu", "correlate_axes_on_gpu", "look_up_affine_on_gpu",
                        "local_statistics_on_gpu"});
}

}  // namespace synthoscope::python
