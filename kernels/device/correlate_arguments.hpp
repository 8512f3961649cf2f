// SPDX-License-Identifier: MIT
// kernels/device/correlate_arguments.hpp — what kernels of direct correlation are told; read by the
// compiler of the host and by that of the device, so it includes nothing.
#pragma once
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// A neighbourhood of any size; axes of `extent` and `centre` are z, y, x.
struct CorrelateArguments {
  HeldVoxels in;
  MadeVoxels out;
  int boundary = 0;  ///< a Boundary
  int extent_z = 1, extent_y = 1, extent_x = 1, centre_z = 0, centre_y = 0, centre_x = 0;
  const float* weights = nullptr;
  const float* before = nullptr;  ///< that kernels which add do so to: a voxel for each of `out`
};

/// Threads of a block of plain kernels: as many neighbours along x, and rows.
inline constexpr int kPlainX = 32, kPlainY = 8;

/// Results of a block of shared_correlation, and those of each thread.
inline constexpr int kSharedColumns = 4, kSharedRows = 2;
inline constexpr int kSharedWidth = 32 * kSharedColumns, kSharedHeight = kPlainY * kSharedRows;

/// Floats from one row of its tile to the next, for so many weights along x.
constexpr int shared_pitch(int extent_x) {
  return (kSharedWidth + extent_x - 1 + 3) / 4 * 4 + 4;
}

}  // namespace synthoscope::kernels::device
