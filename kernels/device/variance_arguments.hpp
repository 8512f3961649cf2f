// SPDX-License-Identifier: MIT
// kernels/device/variance_arguments.hpp — what kernels of local statistics are told; read by the
// compiler of the host and by that of the device.
#pragma once
#include "kernels/body/contrast.hpp"
#include "kernels/body/threewise.hpp"
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Rows and columns of threads of a block of the kernels that take one step.
inline constexpr int kPartsX = 32, kPartsY = 8;

/// A box of floats around the results, in z, y, x order without gaps: a tile with its margin.
struct PartsBox {
  Count plane = 0, row = 0;                 ///< elements from one to the next
  Count z = 0, y = 0, x = 0;                ///< where work begins
  Count planes = 0, rows = 0, columns = 0;  ///< and how far it goes
};

/// Offsets and variances of a signal; null is all zeros.
struct PartsSignal {
  float *offset = nullptr, *variance = nullptr;
};

/// Brings voxels in, at (origin + z, y, x) of the image each.
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
  Count apart = 1;  ///< elements to a side, or from tap to tap
  ThreeWeights weights{};
  int taps = 0;  ///< 0: three parts
  const float* tap_weights = nullptr;
};

/// Where statistics of a window go; null where one is not wanted.
struct StatisticPlaces {
  void *mean = nullptr, *variance = nullptr, *root = nullptr;
};

/// What a window adds to the bands of the voxels of results.
struct BandArguments {
  ContrastGain gain{};
  BandSum* sums = nullptr;  ///< so far, in the order of results
  void* out = nullptr;      ///< null, but with the last window
  bool is_first = false;
};

/// What becomes of a window: statistics, or a band.
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

/// All triangles of half-width 2, 4, ..., 2^kScales at once. Blocks go down strips of columns; of
/// the rows that they brought in they keep those that later merges look back at.
inline constexpr int kMostScales = 5;
inline constexpr int kSweepRows = 4;  ///< that come in at a time, each with a thread a column
inline constexpr int kSweepColumns = 256;

constexpr int sweep_reach(int scales) {
  return (1 << scales) - 1;
}

/// Rows that are kept of voxels: the last merge looks back over its own spacing and over all
/// before, and of rows that were merged along x for the scale number `scale`.
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
  WindowPlaces windows[kMostScales];
  unsigned long long* counts = nullptr;
};

}  // namespace synthoscope::kernels::device
