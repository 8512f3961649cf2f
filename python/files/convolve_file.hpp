// SPDX-License-Identifier: MIT
// python/files/convolve_file.hpp — convolution of what does not fit memory, for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `convolve_file`, whose wrapper in Python says what it does.
void add_convolve_file(nanobind::module_& module);

}  // namespace synthoscope::python
