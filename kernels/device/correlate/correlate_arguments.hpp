// SPDX-License-Identifier: MIT
// kernels/device/correlate/correlate_arguments.hpp — arguments of kernels of correlation; host and
// device compile this file, so it includes nothing.
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

/// Weights are a kernel's argument, which multiply-adds read like registers. All arguments have at
/// most 4 KiB in total.
inline constexpr int kMaxWeights = 928;

struct Weights {
  float values[kMaxWeights];
};

/// Weights along two axes.
struct MarchWeights {
  static constexpr int kMax = kMaxWeights / 2;
  float march[kMax], x[kMax];
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

/// Weights along the three axes.
struct VolumeWeights {
  static constexpr int kMax = 17;
  float z[kMax], y[kMax], x[kMax];
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
