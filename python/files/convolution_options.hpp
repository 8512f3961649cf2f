// SPDX-License-Identifier: MIT
// python/files/convolution_options.hpp — reads the options of `convolve_file`.
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

}  // namespace synthoscope::python
