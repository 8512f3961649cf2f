// SPDX-License-Identifier: MIT
// python/arrays/convolve.hpp — convolution of arrays in memory, for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `convolve(image, kernel, result, shape, workers, memory)` to `module`: see its docstring.
void add_convolve(nanobind::module_& module);

}  // namespace synthoscope::python
