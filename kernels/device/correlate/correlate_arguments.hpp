// SPDX-License-Identifier: MIT
// kernels/device/correlate/correlate_arguments.hpp — arguments of kernels of direct correlation;
// host and device compile this file, so it includes nothing.
#pragma once
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// A neighbourhood of any size; axes of `extent` and `centre` are z, y, x.
struct CorrelateArguments {
  HeldVoxels in;
  MadeVoxels out;
  int boundary = 0;  ///< a Boundary
  int extent_z = 1, extent_y = 1, extent_x = 1, centre_z = 0, centre_y = 0, centre_x = 0;
  const float* weights = nullptr;
  const float* before = nullptr;  ///< sums that a kernel with kAdds adds to: one for each voxel of
                                  ///< `out`
};

/// Threads of a block of plain kernels, along x and y.
inline constexpr int kPlainX = 32, kPlainY = 8;

/// Results of a thread of correlate_shared, then of its block, along x and y.
inline constexpr int kSharedColumns = 4, kSharedRows = 2;
inline constexpr int kSharedWidth = 32 * kSharedColumns, kSharedHeight = kPlainY * kSharedRows;

/// Returns the floats from one row of its tile to the next, for `extent_x` weights along x.
constexpr int shared_pitch(int extent_x) {
  return (kSharedWidth + extent_x - 1 + 3) / 4 * 4 + 4;
}

}  // namespace synthoscope::kernels::device
