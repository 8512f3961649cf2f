// SPDX-License-Identifier: MIT
// kernels/device/variance/variance_arguments.hpp — arguments of kernels of local statistics; host
// and device compile this file.
#pragma once
#include "kernels/body/contrast.hpp"
#include "kernels/body/threewise.hpp"
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Threads of a block along x and y, for kernels that make one step.
inline constexpr int kPartsX = 32, kPartsY = 8;

/// A box in an array of floats around the results, in z, y, x order without gaps: a tile with its
/// margin.
struct PartsBox {
  Count plane = 0, row = 0;                 ///< elements from one to the next
  Count z = 0, y = 0, x = 0;                ///< where work begins
  Count planes = 0, rows = 0, columns = 0;  ///< and how far it goes
};

/// Offsets and variances of a signal; null if all are zero.
struct PartsSignal {
  float *offset = nullptr, *variance = nullptr;
};

/// Arguments for loading voxels; voxel (i, j, k) of the box is at (z + i, y + j, x + k) of the
/// image.
struct VoxelsArguments {
  HeldVoxels in;
  int boundary = 0;
  Count z = 0, y = 0, x = 0;  ///< position of the box's first voxel
  PartsBox box;
  float* voxels = nullptr;
};

/// One MergeStep.
struct MergeArguments {
  PartsBox box;
  const float* voxels = nullptr;
  PartsSignal sides, centre, made;
  Count apart = 1;  ///< elements from the centre to a side, or from tap to tap
  ThreeWeights weights{};
  int taps = 0;  ///< 0: three parts are merged
  const float* tap_weights = nullptr;
};

/// Where statistics of a window are stored; null if one is not wanted.
struct StatisticPlaces {
  void *mean = nullptr, *variance = nullptr, *root = nullptr;
};

/// What a window adds to the bands of the voxels of results.
struct BandArguments {
  ContrastGain gain{};
  BandSum* sums = nullptr;  ///< so far, in the order of results
  void* out = nullptr;      ///< null except for the last window
  bool is_first = false;
};

/// What is made from a window: statistics, or a band.
struct WindowPlaces {
  StatisticPlaces statistics;
  BandArguments band;
};

struct FinishArguments {
  PartsBox box;
  const float* voxels = nullptr;
  PartsSignal parts;
  WindowPlaces window;
  unsigned long long* counts = nullptr;
};

/// A sweep makes all triangles of half-width 2, 4, ..., 2^kScales. Blocks go down strips of
/// columns, and keep the rows that later merges look back at.
inline constexpr int kMaxScales = 5;
inline constexpr int kSweepRows = 4;  ///< loaded at a time, with one thread for each column
inline constexpr int kSweepColumns = 256;

constexpr int sweep_reach(int scales) {
  return (1 << scales) - 1;
}

/// Return the rows that are kept: of voxels, because the last merge looks back over its own spacing
/// and all earlier ones; and of rows merged along x for scale number `scale`.
constexpr int kept_voxel_rows(int scales) {
  return sweep_reach(scales) + (1 << (scales - 1)) + kSweepRows;
}
constexpr int kept_merged_rows(int scale) {
  return 2 * (1 << scale) + kSweepRows;
}

constexpr int sweep_shared_bytes(int scales) {
  int rows = kept_voxel_rows(scales) + 2 * kSweepRows;
  for (int scale = 0; scale < scales; ++scale) rows += 2 * kept_merged_rows(scale);
  return rows * kSweepColumns * 4;
}

struct SweepArguments {
  HeldVoxels in;
  int boundary = 0;
  Count z = 0, y = 0, x = 0;  ///< position of the results' first voxel
  Count planes = 0, rows = 0, columns = 0;
  Count band = 0;  ///< rows that a block makes
  WindowPlaces windows[kMaxScales];
  unsigned long long* counts = nullptr;
};

}  // namespace synthoscope::kernels::device
