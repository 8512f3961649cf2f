// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/cube_lists.hpp — which items lie in which cube of voxels; compiled for
// host and devices.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// A box of voxels, z, y, x; empty if end <= begin along an axis.
struct VoxelRange {
  std::int32_t begin[3] = {}, end[3] = {};

  [[nodiscard]] bool has_row(std::int64_t z, std::int64_t y) const {
    return z >= begin[0] && z < end[0] && y >= begin[1] && y < end[1];
  }
  [[nodiscard]] bool has(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return has_row(z, y) && x >= begin[2] && x < end[2];
  }
  [[nodiscard]] bool empty() const {
    return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2];
  }
};

/// Items by cubes of voxels with edges of 2^cube_bits: the items of cube i are ids[starts[i]] to
/// ids[starts[i + 1] - 1], ascending; ids count from 0. The arrays are owned elsewhere.
struct CubeLists {
  int cube_bits = 5;
  std::int64_t cubes_y = 1, cubes_x = 1;  ///< number of cubes along y and x
  const std::int64_t* starts = nullptr;
  const std::int32_t* ids = nullptr;

  [[nodiscard]] std::int64_t cube(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return ((z >> cube_bits) * cubes_y + (y >> cube_bits)) * cubes_x + (x >> cube_bits);
  }
};

}  // namespace synthoscope::simulator
