// SPDX-License-Identifier: MIT
// kernels/device/march_arguments.hpp — what kernels are told that slide a window of registers along
// an axis; read by the compiler of the host and by that of the device, so it includes nothing.
#pragma once
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Weights travel as a kernel's argument, which multiply-adds read as they read registers. All
/// arguments together have at most 4 KiB.
inline constexpr int kMostWeights = 928;

struct Weights {
  float values[kMostWeights];
};

/// Weights along two axes.
struct MarchWeights {
  static constexpr int kMost = kMostWeights / 2;
  float march[kMost], x[kMost];
};

/// Windows slide along z, or along y with planes apart.
enum class March { along_y, along_z };

struct MarchArguments {
  HeldVoxels in;
  MadeVoxels out;
  int boundary = 0;                              ///< a Boundary
  int centre_z = 0, centre_y = 0, centre_x = 0;  ///< of the weights
  int strip = 1;                                 ///< results that a window makes on its way
  int strips = 1;                                ///< of the box, along the axis
  int side = 1;  ///< warps of a block, where each slides alone, that are neighbours along x
  const float* before = nullptr;  ///< that kernels which add do so to: a voxel for each of `out`
};

}  // namespace synthoscope::kernels::device
