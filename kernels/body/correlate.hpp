// SPDX-License-Identifier: MIT
// kernels/body/correlate.hpp — a voxel of a correlation by the definition. Host and device compile
// this file, so it includes nothing.
#pragma once

namespace synthoscope::kernels {

/// Returns the sum over k of weights[k] at(k), in double, in the order of the weights: z, y, x.
/// @param at  returns the voxel under weight (z, y, x), zero outside the image if the boundary
///            requires it.
template <class At>
constexpr double correlated(const At& at, const double* weights, long long planes, long long rows,
                            long long columns) {
  double sum = 0;
  for (long long z = 0; z < planes; ++z)
    for (long long y = 0; y < rows; ++y)
      for (long long x = 0; x < columns; ++x) sum += *weights++ * at(z, y, x);
  return sum;
}

}  // namespace synthoscope::kernels
