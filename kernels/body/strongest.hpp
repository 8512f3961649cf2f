// SPDX-License-Identifier: MIT
// kernels/body/strongest.hpp — which of several filters answers most; read by the compiler of the
// host and by that of devices, so it includes nothing.
#pragma once

namespace synthoscope::kernels {

/// What is compared of a response: itself, or its magnitude.
constexpr float strength(float response, bool takes_magnitudes) {
  return takes_magnitudes && response < 0 ? -response : response;
}

/// The larger one; NaN where either is.
constexpr float stronger(float a, float b) {
  return b > a || b != b ? b : a;
}

}  // namespace synthoscope::kernels
