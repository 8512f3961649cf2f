// SPDX-License-Identifier: MIT
// python/convolve_on_gpu.hpp — convolution of arrays that lie on a GPU, where they lie.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `convolve_on_gpu` and `fetch`; without CUDA both refuse.
void add_convolve_on_gpu(nanobind::module_& module);

}  // namespace synthoscope::python
