// SPDX-License-Identifier: MIT
// simulator/phantom/volume/region.hpp — voxels of a file in a grid of another pitch, and the voxels
// of one label; compiled for host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
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

/// Labels of a file, renumbered: 1 for the smallest, 0 for none. The array is owned elsewhere.
struct LabelVoxels {
  VoxelLattice lattice;
  const std::uint16_t* labels = nullptr;

  [[nodiscard]] bool has(std::uint16_t label, const Vector3& point) const {
    const std::int64_t place = lattice.place_at(point);
    return place >= 0 && labels[place] == label;
  }
  /// Returns how much of a box has a label, in um^3; exact except for rounding.
  [[nodiscard]] double um3_of(std::uint16_t label, const Vector3& centre,
                              const Vector3& edges) const {
    const double voxel_um3 = lattice.pitch[0] * lattice.pitch[1] * lattice.pitch[2];
    return voxel_um3 * sum_in_box(lattice, centre, edges, [&](std::int64_t place) {
             return labels[place] == label ? 1.0 : 0.0;
           });
  }
};

/// The voxels of one label, evenly stained. Plain data.
struct Region {
  static constexpr std::string_view kClass = "region";
  const LabelVoxels* voxels = nullptr;  ///< in host memory
  std::uint16_t label = 0;              ///< in `voxels`
  std::int64_t file_label = 0;          ///< in the file
  Bounds box{};
  Vector3 middle{};  ///< its centroid
  double um3 = 0;
  double photons_per_um3 = 0;

  [[nodiscard]] Bounds bounds() const { return box; }
  [[nodiscard]] bool contains(const Vector3& point) const { return voxels->has(label, point); }
  [[nodiscard]] Vector3 centroid() const { return middle; }
  [[nodiscard]] double volume_um3() const { return um3; }
};

/// Returns the photons that a region adds to a voxel of the grid. @param voxels  the region's, in
/// memory that the caller can read
inline double light_of_region(const Region& region, const LabelVoxels& voxels,
                              const Vector3& centre, const Vector3& pitch) {
  return region.photons_per_um3 == 0
             ? 0
             : region.photons_per_um3 * voxels.um3_of(region.label, centre, pitch);
}

/// Light of a file's voxels, float32. The array is owned elsewhere; null without such a file.
struct LightVoxels {
  VoxelLattice lattice;
  const float* values = nullptr;
  double photons_per_value = 0;  ///< for one of the file's voxels

  /// Returns the photons in a box: shares of voxels, so that none is lost or made.
  [[nodiscard]] double photons_in(const Vector3& centre, const Vector3& edges) const {
    return photons_per_value * sum_in_box(lattice, centre, edges, [&](std::int64_t place) {
             return static_cast<double>(values[place]);
           });
  }
};

}  // namespace synthoscope::simulator
