// SPDX-License-Identifier: MIT
// python/simulate/simulate.hpp — what Python is offered of the simulator: scenes, the phases one by
// one, and whole simulations.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds the classes `Scene` and `CameraSpec`, whose wrappers in Python say what they are.
void add_scene(nanobind::module_& module);

/// Adds `render_phantom`, `make_psf` and the class `Recorder`.
void add_optical_parts(nanobind::module_& module);

/// Adds `simulate_to_folder` and the class `FrameMaker`.
void add_simulate(nanobind::module_& module);

}  // namespace synthoscope::python
