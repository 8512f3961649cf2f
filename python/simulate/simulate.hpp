// SPDX-License-Identifier: MIT
// python/simulate/simulate.hpp — the simulator for Python: to folders, and frame by frame to
// arrays.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `simulate_to_folder` and the class `FrameMaker`.
void add_simulate(nanobind::module_& module);

}  // namespace synthoscope::python
