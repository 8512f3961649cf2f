// SPDX-License-Identifier: MIT
// python/simulate/optical_parts.hpp — the phases of a simulation one by one: phantom, PSF and
// camera.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `render_phantom`, `make_psf` and the class `Recorder`.
void add_optical_parts(nanobind::module_& module);

}  // namespace synthoscope::python
