// SPDX-License-Identifier: MIT
// python/gpu/on_gpu.hpp — what is done with arrays that lie on a GPU, where they lie.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `convolve_on_gpu` and `fetch`. Without CUDA these and those below refuse.
void add_convolve_on_gpu(nanobind::module_& module);

/// Adds `correlate_on_gpu`, `correlate_axes_on_gpu`, `look_up_affine_on_gpu` and
/// `local_statistics_on_gpu`.
void add_neighbourhood_on_gpu(nanobind::module_& module);

}  // namespace synthoscope::python
