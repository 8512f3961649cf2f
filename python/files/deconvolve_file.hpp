// SPDX-License-Identifier: MIT
// python/files/deconvolve_file.hpp — the light of an image, in a file or an array, for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `deconvolve_file`, whose wrappers in Python say what it does.
void add_deconvolve_file(nanobind::module_& module);

}  // namespace synthoscope::python
