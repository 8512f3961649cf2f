// SPDX-License-Identifier: MIT
// kernels/device/correlate/march_arguments.hpp — arguments of kernels that slide a window of
// registers along an axis; host and device compile this file, so it includes nothing.
#pragma once
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Weights are a kernel's argument, which multiply-adds read like registers. All arguments have at
/// most 4 KiB in total.
inline constexpr int kMostWeights = 928;

struct Weights {
  float values[kMostWeights];
};

/// Weights along two axes.
struct MarchWeights {
  static constexpr int kMost = kMostWeights / 2;
  float march[kMost], x[kMost];
};

/// The axis that windows slide along: y in each plane, or z.
enum class March { along_y, along_z };

struct MarchArguments {
  HeldVoxels in;
  MadeVoxels out;
  int boundary = 0;                              ///< a Boundary
  int centre_z = 0, centre_y = 0, centre_x = 0;  ///< of the weights
  int strip = 1;                                 ///< results of a window along the axis
  int strips = 1;                                ///< of the box, along the axis
  int side = 1;                   ///< neighbouring warps of a block along x, if each slides alone
  const float* before = nullptr;  ///< sums that a kernel with kAdds adds to: one for each voxel of
                                  ///< `out`
};

}  // namespace synthoscope::kernels::device
