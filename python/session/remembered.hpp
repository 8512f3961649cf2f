// SPDX-License-Identifier: MIT
// python/session/remembered.hpp — what calls of one interpreter have in common: plans that were
// made, and the machine as it was seen. Everything here is called with the interpreter's lock.
#pragma once
#include <cstdint>
#include "fftconv/plan.hpp"

namespace synthoscope::python {

/// As plan_convolution with a strategy that is wanted; the last few are remembered: loops convolve
/// the same shapes again and again. Good until the next call. @throws as plan_convolution
const fftconv::Plan& remembered_plan(const fftconv::Problem& problem,
                                     const fftconv::Machine& machine, fftconv::Strategy wanted);

/// What a call may take where it does not say; looked up once a second.
struct Allowance {
  int threads = 1;                ///< as many as there are cores
  std::int64_t memory_bytes = 0;  ///< 70 % of what is free, in steps: plans serve from call to call
};
Allowance usual_allowance();

}  // namespace synthoscope::python
