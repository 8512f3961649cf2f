// SPDX-License-Identifier: MIT
// kernels/device/variance/direct_variance_arguments.hpp — arguments of kernels that make statistics
// without merges; host and device compile this file.
#pragma once
#include "kernels/body/integral_variance.hpp"
#include "kernels/device/variance/variance_arguments.hpp"

namespace synthoscope::kernels::device {

/// A window of any weights, summed voxel by voxel.
struct DirectArguments {
  PartsBox box;  ///< of results, within `voxels`
  const float* voxels = nullptr;
  int reach_z = 0, reach_y = 0, reach_x = 0;
  const float *weights_z = nullptr, *weights_y = nullptr, *weights_x = nullptr;
  StatisticPlaces statistics;
  unsigned long long* counts = nullptr;
};

/// Lanes of a warp, which sums a row of voxels, and warps of a block.
inline constexpr int kSumLanes = 32, kSumWarps = 8;

/// Sums along x. Corners have one more row and column than voxels and, if sums are along z as well,
/// one more plane: the first of each, which are zeros.
struct RowSumsArguments {
  HeldVoxels in;
  int boundary = 0;
  Count z = 0, y = 0, x = 0;                ///< position of the first voxel
  Count planes = 0, rows = 0, columns = 0;  ///< of corners
  int deep = 0;                             ///< 1: sums are along z as well
  IntegralSums* sums = nullptr;
};

/// Sums along y or z of the sums in rows of corners. A thread goes down a strip of a line;
/// neighbouring threads have neighbouring columns.
struct LineSumsArguments {
  IntegralSums* sums = nullptr;
  Count columns = 0;
  Count length = 0, apart = 0;        ///< corners of a line; elements from one to the next
  Count others = 0, other_apart = 0;  ///< rows or planes of lines; elements from one to the next
  Count strip = 0, strips = 1;        ///< corners of a strip, and strips of a line
  IntegralSums* totals = nullptr;     ///< of strips, if there are several
};
inline constexpr int kSumColumns = 128;

struct BoxSumsArguments {
  PartsBox box;  ///< of results; each is at the first corner of its window
  IntegralVolume sums{};
  int deep = 0;
  Count planes = 1, rows = 1, columns = 1;  ///< of a window
  StatisticPlaces statistics;
  unsigned long long* counts = nullptr;
};

}  // namespace synthoscope::kernels::device
