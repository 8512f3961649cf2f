// SPDX-License-Identifier: MIT
// python/files/convolve_file.hpp — convolution of what does not fit memory, for Python.
#pragma once
#include <nanobind/nanobind.h>
#include <string>
#include "jobs/convolve/convolve_job.hpp"

namespace synthoscope::python {

/// The names of the files of a convolution; empty: an array in place of one.
struct ConvolvedFiles {
  std::string image, kernel, result;
};

/// Reads a dictionary that has a value for every option, by its name in Python; None means that it
/// was not given. @throws InvalidSpec  a value is not accepted.
jobs::ConvolveJob job_of(const nanobind::dict& options, const ConvolvedFiles& files);

/// Adds `convolve_file`, whose wrapper in Python says what it does.
void add_convolve_file(nanobind::module_& module);

}  // namespace synthoscope::python
