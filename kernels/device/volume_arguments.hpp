// SPDX-License-Identifier: MIT
// kernels/device/volume_arguments.hpp — shapes of the kernel that sums along three axes at once;
// read by the compiler of the host and by that of the device.
#pragma once
#include "kernels/device/march_arguments.hpp"

namespace synthoscope::kernels::device {

/// Weights along the three axes.
struct VolumeWeights {
  static constexpr int kMost = 17;
  float z[kMost], y[kMost], x[kMost];
};

/// A block makes pieces of planes of kVolumeWidth columns, one below the other along z.
inline constexpr int kVolumeWidth = 64;

/// @param tall  rows that a thread makes
struct VolumeShape {
  int reach_y, reach_x, tall, warps;

  constexpr int rows_out() const { return warps / (kVolumeWidth / 32) * tall; }
  /// Of a piece with what lies around it.
  constexpr int rows() const { return rows_out() + reach_y - 1; }
  constexpr int width() const { return kVolumeWidth + reach_x - 1; }
  /// Every warp brings as many rows in, and every thread as many voxels of each.
  constexpr int rows_of_a_warp() const { return (rows() + warps - 1) / warps; }
  constexpr int columns_of_a_thread() const { return (width() + 31) / 32; }
  /// Floats from row to row: 4 more than a multiple of 8, so that sets of 4 in two rows, 8 apart
  /// in each, lie in different banks.
  constexpr int pitch() const { return 32 * columns_of_a_thread() + 4; }
  constexpr int summed_pitch() const { return kVolumeWidth + 4; }
  constexpr int piece_floats() const { return rows_of_a_warp() * warps * pitch(); }
  /// Two pieces, and their sums along rows.
  constexpr int floats() const { return 2 * (piece_floats() + rows() * summed_pitch()); }
  constexpr int shared_bytes(int steps) const { return 4 * (floats() + steps); }
};

}  // namespace synthoscope::kernels::device
