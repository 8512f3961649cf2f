// SPDX-License-Identifier: MIT
// python/simulate/scene.hpp — scenes and cameras for Python: read, changed and written.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds the classes `Scene` and `CameraSpec`, whose wrappers in Python say what they are.
void add_scene(nanobind::module_& module);

}  // namespace synthoscope::python
