// SPDX-License-Identifier: MIT
// python/arrays/functions.hpp — functions of arrays in memory for Python: convolution, filters and
// resampling.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `convolve(image, kernel, result, shape, workers, memory)` to `module`: see its docstring.
void add_convolve(nanobind::module_& module);

/// Adds correlate_lines, mean_lines and spline_lines to `module`: see their docstrings.
void add_line_filters(nanobind::module_& module);

/// Adds correlate.
void add_correlate(nanobind::module_& module);

/// Adds look_up_axes, look_up_affine and look_up_at.
void add_look_up(nanobind::module_& module);

/// Adds local_statistics.
void add_local_statistics(nanobind::module_& module);

}  // namespace synthoscope::python
