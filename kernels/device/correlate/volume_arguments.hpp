// SPDX-License-Identifier: MIT
// kernels/device/correlate/volume_arguments.hpp — shapes of the kernel that sums along three axes
// at once; host and device compile this file.
#pragma once
#include "kernels/device/correlate/march_arguments.hpp"

namespace synthoscope::kernels::device {

/// Weights along the three axes.
struct VolumeWeights {
  static constexpr int kMost = 17;
  float z[kMost], y[kMost], x[kMost];
};

/// Columns of the pieces of planes that a block makes, one after another along z.
inline constexpr int kVolumeWidth = 64;

/// The shape of a block's pieces.
/// @param tall  rows that a thread makes
struct VolumeShape {
  int reach_y, reach_x, tall, warps;

  constexpr int rows_out() const { return warps / (kVolumeWidth / 32) * tall; }
  /// Return the rows and columns of a piece with its margin.
  constexpr int rows() const { return rows_out() + reach_y - 1; }
  constexpr int width() const { return kVolumeWidth + reach_x - 1; }
  /// Return the rows that every warp loads, and the voxels of each that every thread loads.
  constexpr int rows_of_a_warp() const { return (rows() + warps - 1) / warps; }
  constexpr int columns_of_a_thread() const { return (width() + 31) / 32; }
  /// Returns the floats from row to row: 4 more than a multiple of 8, so that sets of 4 in two
  /// rows, 8 apart in each, lie in different banks.
  constexpr int pitch() const { return 32 * columns_of_a_thread() + 4; }
  constexpr int summed_pitch() const { return kVolumeWidth + 4; }
  constexpr int piece_floats() const { return rows_of_a_warp() * warps * pitch(); }
  /// Returns the floats of two pieces and of their sums along rows.
  constexpr int floats() const { return 2 * (piece_floats() + rows() * summed_pitch()); }
  constexpr int shared_bytes(int steps) const { return 4 * (floats() + steps); }
};

}  // namespace synthoscope::kernels::device
