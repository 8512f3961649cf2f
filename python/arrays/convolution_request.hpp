// SPDX-License-Identifier: MIT
// python/arrays/convolution_request.hpp — what is asked for in Python's words, as a problem for the
// planner.
#pragma once
#include <string>
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::python {

/// scipy's methods: sums or transforms, as is faster; sums; transforms.
enum class Method { automatic, direct, fft };

/// "auto", "direct" or "fft". @throws InvalidSpec
Method method_of(const std::string& name);

/// "full", "same" or "valid". @throws InvalidSpec
fftconv::Shape shape_of(const std::string& name);

/// Returns a request around the middle of the kernel, between arrays in memory; results are in
/// single precision unless the arrays are float64.
fftconv::Problem problem_of(const ConstVoxelView& image, const ConstVoxelView& kernel,
                            PixelType result, fftconv::Shape shape);

/// Enters whether sums may be taken, where the method allows it: transforms spread what is not
/// finite, sums refuse it in a kernel. Gives the strategy that the method asks for.
fftconv::Strategy examine_kernel_for(Source& kernel, Method method, fftconv::Problem& problem);

}  // namespace synthoscope::python
