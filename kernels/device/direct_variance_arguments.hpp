// SPDX-License-Identifier: MIT
// kernels/device/direct_variance_arguments.hpp — what kernels are told that take statistics without
// merges; read by the compiler of the host and by that of the device.
#pragma once
#include "kernels/body/integral_variance.hpp"
#include "kernels/device/variance_arguments.hpp"

namespace synthoscope::kernels::device {

/// A window of any weights, voxel by voxel.
struct DirectArguments {
  PartsBox box;  ///< of results, within `voxels`
  const float* voxels = nullptr;
  int reach_z = 0, reach_y = 0, reach_x = 0;
  const float *weights_z = nullptr, *weights_y = nullptr, *weights_x = nullptr;
  StatisticPlaces statistics;
  unsigned long long* counts = nullptr;
};

/// A warp sums a row of voxels; a block has so many.
inline constexpr int kSumLanes = 32, kSumWarps = 8;

/// Sums along x. Corners have a row more than voxels and a column, and where sums are along z too,
/// a plane: the first of each, which are zeros.
struct RowSumsArguments {
  HeldVoxels in;
  int boundary = 0;
  Count z = 0, y = 0, x = 0;                ///< position of the first voxel
  Count planes = 0, rows = 0, columns = 0;  ///< of corners
  int deep = 0;                             ///< 1: sums are along z too
  IntegralSums* sums = nullptr;
};

/// Sums along y or z of what rows of corners hold. Threads go down strips of lines, with columns
/// side by side.
struct LineSumsArguments {
  IntegralSums* sums = nullptr;
  Count columns = 0;
  Count length = 0, apart = 0;        ///< of a line; corners from one to the next
  Count others = 0, other_apart = 0;  ///< rows or planes of lines
  Count strip = 0, strips = 1;        ///< corners of a strip, and how many there are
  IntegralSums* totals = nullptr;     ///< of strips, where there are several
};
inline constexpr int kSumColumns = 128;

struct BoxSumsArguments {
  PartsBox box;  ///< of results: where a window's first corner lies within corners
  IntegralVolume sums{};
  int deep = 0;
  Count planes = 1, rows = 1, columns = 1;  ///< of a window
  StatisticPlaces statistics;
  unsigned long long* counts = nullptr;
};

}  // namespace synthoscope::kernels::device
