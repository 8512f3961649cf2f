// SPDX-License-Identifier: MIT
// simulator/phantom/volume/voxel_lattice.hpp — voxels of a file, placed in a grid whose pitch may
// differ; compiled for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {

/// Boxes side by side along z, y and x. Plain data; micrometres from the grid's corner.
struct VoxelLattice {
  Vector3 corner{};            ///< of voxel (0, 0, 0)
  Vector3 pitch{1, 1, 1};      ///< edges of a voxel
  std::int64_t count[3] = {};  ///< voxels along z, y, x

  [[nodiscard]] std::int64_t place_of(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * count[1] + y) * count[2] + x;
  }

  /// Returns the index in the file of the voxel that holds `point`; -1 outside. A point between two
  /// voxels belongs to the one of higher index.
  [[nodiscard]] std::int64_t place_at(const Vector3& point) const {
    std::int64_t index[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double at = std::floor((point[a] - corner[a]) / pitch[a]);
      if (!(at >= 0 && at < static_cast<double>(count[axis]))) return -1;
      index[axis] = static_cast<std::int64_t>(at);
    }
    return place_of(index[0], index[1], index[2]);
  }
};

/// Returns the box that all voxels of a lattice fill.
inline Bounds bounds_of(const VoxelLattice& lattice) {
  Bounds bounds{lattice.corner, lattice.corner};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    bounds.high[a] += static_cast<double>(lattice.count[axis]) * lattice.pitch[a];
  }
  return bounds;
}

/// The voxels of a lattice that an interval of one axis meets, and how much of each lies in it.
struct LatticeCut {
  double low = 0, high = 0;  ///< of the interval, in voxels
  std::int64_t begin = 0, end = 0;

  LatticeCut(const VoxelLattice& lattice, int axis, double centre, double edge) {
    const auto a = static_cast<std::size_t>(axis);
    low = (centre - edge / 2 - lattice.corner[a]) / lattice.pitch[a];
    high = (centre + edge / 2 - lattice.corner[a]) / lattice.pitch[a];
    const auto most = static_cast<double>(lattice.count[axis]);
    begin = static_cast<std::int64_t>(std::min(std::max(std::floor(low), 0.0), most));
    end = static_cast<std::int64_t>(std::min(std::max(std::ceil(high), 0.0), most));
  }
  [[nodiscard]] double part(std::int64_t i) const {
    const auto at = static_cast<double>(i);
    return overlap(low, high, at, at + 1);
  }
};

/// Returns the sum over the voxels of `lattice` of `value_at(place)` times the part of the voxel
/// that lies in a box of `edges` around `centre`. Boxes that fill space divide every voxel without
/// a remainder.
template <class ValueAt>
double sum_in_box(const VoxelLattice& lattice, const Vector3& centre, const Vector3& edges,
                  ValueAt&& value_at) {
  const LatticeCut z{lattice, 0, centre[0], edges[0]}, y{lattice, 1, centre[1], edges[1]},
      x{lattice, 2, centre[2], edges[2]};
  double sum = 0;
  for (std::int64_t i = z.begin; i < z.end; ++i)
    for (std::int64_t j = y.begin; j < y.end; ++j) {
      const std::int64_t row = lattice.place_of(i, j, 0);
      double along_x = 0;
      for (std::int64_t k = x.begin; k < x.end; ++k) along_x += x.part(k) * value_at(row + k);
      sum += z.part(i) * y.part(j) * along_x;
    }
  return sum;
}

}  // namespace synthoscope::simulator
