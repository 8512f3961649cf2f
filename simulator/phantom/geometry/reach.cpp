// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/reach.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace synthoscope::simulator {
namespace {

std::pair<std::int64_t, std::int64_t> reached(double low_um, double high_um, double pitch_um,
                                              std::int64_t origin, std::int64_t size) {
  const auto clipped = [&](double voxel) {
    return std::clamp(voxel, static_cast<double>(origin), static_cast<double>(origin + size));
  };
  const auto begin = static_cast<std::int64_t>(clipped(std::floor(low_um / pitch_um) - 1));
  const auto end = static_cast<std::int64_t>(clipped(std::ceil(high_um / pitch_um) + 1));
  return {begin, std::max(begin, end)};
}

}  // namespace

Box3 voxels_reached(const Bounds& b, const VoxelSize& pitch, const Box3& box) {
  const auto [z0, z1] = reached(b.low[0], b.high[0], pitch.z_um, box.origin.z, box.size.z);
  const auto [y0, y1] = reached(b.low[1], b.high[1], pitch.y_um, box.origin.y, box.size.y);
  const auto [x0, x1] = reached(b.low[2], b.high[2], pitch.x_um, box.origin.x, box.size.x);
  return {{z0, y0, x0}, {z1 - z0, y1 - y0, x1 - x0}};
}

}  // namespace synthoscope::simulator
