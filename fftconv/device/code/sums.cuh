// SPDX-License-Identifier: MIT
// fftconv/device/code/sums.cuh — thin kernels: planes of spectra are multiplied and summed along z.
#pragma once
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/device/code/dft.cuh"

namespace synthoscope::fftconv::device {

/// A thread a value; the grid's y is the result.
__global__ void __launch_bounds__(256) sum_planes(const PlaneSums a) {
  const Count at = blockIdx.x * static_cast<Count>(256) + threadIdx.x;
  if (at >= a.plane) return;
  const int* partners = a.partners + blockIdx.y * a.taps;
  float2 sum = {0, 0};
  for (int j = 0; j < a.taps; ++j) {
    const int slot = __ldg(partners + j);
    if (slot >= 0) sum = sum + times(a.image[slot * a.plane + at], a.kernel[j * a.plane + at]);
  }
  float2& there = a.result[blockIdx.y * a.plane + at];
  there = a.adds ? there + sum : sum;
}

}  // namespace synthoscope::fftconv::device
