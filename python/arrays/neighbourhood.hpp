// SPDX-License-Identifier: MIT
// python/arrays/neighbourhood.hpp — filters and resampling of arrays in memory, for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds correlate_lines, mean_lines and spline_lines to `module`: see their docstrings.
void add_line_filters(nanobind::module_& module);

/// Adds correlate.
void add_correlate(nanobind::module_& module);

/// Adds look_up_axes, look_up_affine and look_up_at.
void add_look_up(nanobind::module_& module);

/// Adds local_statistics.
void add_local_statistics(nanobind::module_& module);

}  // namespace synthoscope::python
