// SPDX-License-Identifier: MIT
#include "simulator/base/grid.hpp"

namespace synthoscope::simulator {

Point3 centre_of(const Grid& grid, const Index3& voxel) {
  return {(static_cast<double>(voxel.z) + 0.5) * grid.pitch.z_um,
          (static_cast<double>(voxel.y) + 0.5) * grid.pitch.y_um,
          (static_cast<double>(voxel.x) + 0.5) * grid.pitch.x_um};
}

Grid refined(const Grid& grid, std::int64_t n) {
  const auto parts = static_cast<double>(n);
  return {{grid.extent.z, grid.extent.y * n, grid.extent.x * n},
          {grid.pitch.z_um, grid.pitch.y_um / parts, grid.pitch.x_um / parts}};
}

Grid binned(const Grid& grid, std::int64_t bin) {
  const auto pixels = static_cast<double>(bin);
  return {{grid.extent.z, grid.extent.y / bin, grid.extent.x / bin},
          {grid.pitch.z_um, grid.pitch.y_um * pixels, grid.pitch.x_um * pixels}};
}

Grid widened(const Grid& grid, const Extent3& margin) {
  return {
      {grid.extent.z + 2 * margin.z, grid.extent.y + 2 * margin.y, grid.extent.x + 2 * margin.x},
      grid.pitch};
}

std::array<double, 3> size_um(const Grid& grid) {
  return {static_cast<double>(grid.extent.z) * grid.pitch.z_um,
          static_cast<double>(grid.extent.y) * grid.pitch.y_um,
          static_cast<double>(grid.extent.x) * grid.pitch.x_um};
}

}  // namespace synthoscope::simulator
