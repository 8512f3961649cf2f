// SPDX-License-Identifier: MIT
// simulator/pictures/projections.hpp — the largest values of a volume along each axis.
#pragma once
#include <algorithm>
#include <cstdint>
#include "core/run/run_context.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/pictures/samples.hpp"
#include "simulator/pictures/slices.hpp"

namespace synthoscope::simulator {

/// The largest values of the rows that were added: along z as the slice yx, along y as zx, along x
/// as yz. NaN is left out.
class Projection {
 public:
  explicit Projection(const Grid& grid);

  template <class T>
  void add(std::int64_t z, std::int64_t y, const T* row);
  /// Adds the rows of `other`, whose grid is the same.
  void add(const Projection& other);

  /// Returns the largest values; 0 where there is none.
  [[nodiscard]] Slices slices() &&;

 private:
  static float* at(Slice& slice, std::int64_t row, std::int64_t column) {
    return slice.values.data() + row * slice.columns + column;
  }
  static void raise(float& most, float value) {
    if (value > most) most = value;  // false for NaN
  }

  Samples z_, y_, x_;
  Slices slices_;
};

template <class T>
void Projection::add(std::int64_t z, std::int64_t y, const T* row) {
  float* const over_z = at(slices_.yx, y / y_.step, 0);
  float* const over_y = at(slices_.zx, z / z_.step, 0);
  float* const over_x = at(slices_.yz, y / y_.step, z / z_.step);
  for (std::int64_t i = 0; i < x_.count; ++i)
    for (std::int64_t x = i * x_.step; x < std::min((i + 1) * x_.step, x_.size); ++x) {
      const auto value = static_cast<float>(row[x]);
      raise(over_z[i], value);
      raise(over_y[i], value);
      raise(*over_x, value);
    }
}

/// Returns the voxel through which slices show something: the middle of the volume, but along an
/// axis whose middle plane is less than half as bright as the brightest voxel, this voxel's place.
/// @param maxima  read_projections of the volume
Index3 bright_point(const Slices& maxima, const Extent3& volume);

/// Returns the bytes that read_projections needs in addition to its result.
std::int64_t projecting_bytes(const Extent3& volume, int threads);

/// Reads the whole volume once, with up to four threads, and counts what they hold.
/// @throws PlanError  the memory has no room for it.  @throws Interrupted, and what `source` throws
Slices read_projections(Source& source, const VoxelSize& pitch, const RunContext& context);

}  // namespace synthoscope::simulator
