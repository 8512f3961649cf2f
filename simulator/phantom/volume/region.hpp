// SPDX-License-Identifier: MIT
// simulator/phantom/volume/region.hpp — the voxels of one label of an imported volume; compiled for
// host and devices.
#pragma once
#include <cstdint>
#include <string_view>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/volume/voxel_lattice.hpp"

namespace synthoscope::simulator {

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
