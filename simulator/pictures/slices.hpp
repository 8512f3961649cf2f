// SPDX-License-Identifier: MIT
// simulator/pictures/slices.hpp — three orthogonal slices through a volume, and their values at any
// point.
#pragma once
#include <cstdint>
#include <vector>
#include "core/base/units.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// Most values along a side of a slice: on longer axes every n-th voxel is taken, so that slices of
/// any volume fit into little memory.
inline constexpr std::int64_t kMaxSamples = 1024;

/// A cut through a volume: rows downwards, columns to the right.
struct Slice {
  std::int64_t rows = 0, columns = 0;
  double row_um = 1, column_um = 1;  ///< distance between neighbours
  std::vector<float> values;

  [[nodiscard]] double width_um() const { return static_cast<double>(columns) * column_um; }

  /// Returns the value of the voxel at a point; the point is moved into the slice.
  [[nodiscard]] float nearest(double down_um, double right_um) const;

  /// Returns a value that is linear between voxel centres, averaged over a square of `side_um`
  /// around the point.
  [[nodiscard]] double smooth(double down_um, double right_um, double side_um) const;

 private:
  [[nodiscard]] double linear(double row, double column) const;
};

/// The slices that meet at one voxel.
struct Slices {
  Slice yx;  ///< y down, x to the right
  Slice zx;  ///< z down, x to the right
  Slice yz;  ///< y down, z to the right
};

/// Returns the bytes of the slices of a volume.
std::int64_t slices_bytes(const Extent3& volume);

/// Returns the bytes of the rows that so many threads hold while they read slices of a volume.
std::int64_t slices_reading_bytes(const Extent3& volume, int threads);

/// Reads the three slices of `source` that meet at `at`; every thread reads some rows at a time.
/// @throws what `source` throws.
Slices read_slices(Source& source, const VoxelSize& pitch, const Index3& at, TaskPool& pool);

/// Returns the value below which the share `quantile` of all values of the slices lies.
double quantile_of(const Slices& slices, double quantile);

}  // namespace synthoscope::simulator
