// SPDX-License-Identifier: MIT
// python/fit/fit.hpp — twins of images for Python.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `fit_twin`, which returns a scene, what the command `fit --json` prints, the files
/// scene.toml and camera.toml as text, and the report.
void add_fit(nanobind::module_& module);

}  // namespace synthoscope::python
