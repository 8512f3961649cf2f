// SPDX-License-Identifier: MIT
#include "score/spots/rendered_spot.hpp"
#include <cmath>
#include "simulator/phantom/geometry/ball.hpp"

namespace synthoscope::score {
namespace {

std::int64_t voxel_at(double um, double pitch_um) {
  return static_cast<std::int64_t>(std::floor(um / pitch_um));
}

simulator::Vector3 middle_of(const Index3& voxel, const AlongZyx& pitch) {
  return {(static_cast<double>(voxel.z) + 0.5) * pitch[0],
          (static_cast<double>(voxel.y) + 0.5) * pitch[1],
          (static_cast<double>(voxel.x) + 0.5) * pitch[2]};
}

}  // namespace

RenderedSpot rendered(const Spot& spot, const simulator::Grid& grid) {
  const AlongZyx pitch{grid.pitch.z_um, grid.pitch.y_um, grid.pitch.x_um};
  const auto at = [&](double sign, std::size_t axis) {
    return voxel_at(spot.at_um[axis] + sign * spot.radius_um, pitch[axis]);
  };
  const Index3 low{at(-1, 0), at(-1, 1), at(-1, 2)}, high{at(1, 0), at(1, 1), at(1, 2)};

  RenderedSpot light;
  double sum = 0;
  for (std::int64_t z = low.z; z <= high.z; ++z)
    for (std::int64_t y = low.y; y <= high.y; ++y)
      for (std::int64_t x = low.x; x <= high.x; ++x) {
        const Index3 voxel{z, y, x};
        const double share = low == high ? 1
                                         : simulator::ball_share(spot.at_um, spot.radius_um,
                                                                 middle_of(voxel, pitch), pitch);
        if (share <= 0) continue;
        light.voxels.push_back({voxel, share});
        sum += share;
      }
  for (LitVoxel& lit : light.voxels) {
    lit.share /= sum;
    const simulator::Vector3 middle = middle_of(lit.voxel, pitch);
    for (std::size_t axis = 0; axis < 3; ++axis) light.centre_um[axis] += lit.share * middle[axis];
  }
  return light;
}

}  // namespace synthoscope::score
