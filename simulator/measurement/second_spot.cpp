// SPDX-License-Identifier: MIT
#include "simulator/measurement/second_spot.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// Mean of a voxel and its neighbours.
double mean_at(HostView3<const float> voxels, const Index3& at) {
  const Extent3& e = voxels.extent();
  double sum = 0;
  int count = 0;
  for (std::int64_t z = std::max<std::int64_t>(0, at.z - 1); z <= std::min(e.z - 1, at.z + 1); ++z)
    for (std::int64_t y = std::max<std::int64_t>(0, at.y - 1); y <= std::min(e.y - 1, at.y + 1);
         ++y)
      for (std::int64_t x = std::max<std::int64_t>(0, at.x - 1); x <= std::min(e.x - 1, at.x + 1);
           ++x) {
        sum += static_cast<double>(voxels(z, y, x));
        ++count;
      }
  return sum / count;
}

/// Returns the distance from the peak, along one axis of its plane, where the light falls below
/// `half`.
std::int64_t half_width(HostView3<const float> voxels, const Index3& peak, bool along_x,
                        double half) {
  const std::int64_t count = along_x ? voxels.extent().x : voxels.extent().y;
  const std::int64_t middle = along_x ? peak.x : peak.y;
  for (std::int64_t far = 1; far < count; ++far) {
    bool has_fallen = true;
    for (const std::int64_t place : {middle - far, middle + far}) {
      if (place < 0 || place >= count) continue;
      Index3 at = peak;
      (along_x ? at.x : at.y) = place;
      has_fallen = has_fallen && mean_at(voxels, at) <= half;
    }
    if (has_fallen) return far;
  }
  return count;
}

}  // namespace

std::optional<Index3> second_spot(const Volume<float>& stack, const VoxelSize& pitch,
                                  double background) {
  constexpr double kPart = 0.25, kWidths = 4;
  const auto voxels = stack.view();
  const Extent3& e = stack.extent;
  const auto place = std::max_element(stack.voxels.begin(), stack.voxels.end());
  const std::int64_t first = place - stack.voxels.begin();
  const Index3 peak{first / (e.y * e.x), first / e.x % e.y, first % e.x};
  const double height = mean_at(voxels, peak) - background;
  if (!(height > 0)) return std::nullopt;
  const double least = background + kPart * height, half = background + height / 2;
  const double width =
      2 * std::max(static_cast<double>(half_width(voxels, peak, true, half)) * pitch.x_um,
                   static_cast<double>(half_width(voxels, peak, false, half)) * pitch.y_um);
  std::optional<Index3> found;
  double brightest = least;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        const double across = std::hypot(static_cast<double>(y - peak.y) * pitch.y_um,
                                         static_cast<double>(x - peak.x) * pitch.x_um);
        const bool is_dim = static_cast<double>(voxels(z, y, x)) < least;
        if (is_dim || across < kWidths * width) continue;
        const double here = mean_at(voxels, {z, y, x});
        if (here < brightest) continue;
        brightest = here;
        found = Index3{z, y, x};
      }
  return found;
}

}  // namespace synthoscope::simulator
