// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/reach.hpp"
#include <algorithm>
#include <array>
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

constexpr std::int64_t kCubesOfABox = 8;  ///< upper bound of the mean

double cubes_of(const Bounds& box, double cube_um) {
  double count = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    count *= std::floor(box.high[axis] / cube_um) - std::floor(box.low[axis] / cube_um) + 1;
  return count;
}

/// Returns the smallest edge of cubes, of 2^-19 of the whole and its doublings, that keeps to
/// kCubesOfABox. The search ends: no box lies in more than 8 cubes as large as the whole.
double size_for(const std::vector<Bounds>& boxes) {
  double whole = 0;
  for (const Bounds& box : boxes)
    for (std::size_t axis = 0; axis < 3; ++axis)
      whole = std::max({whole, std::abs(box.low[axis]), std::abs(box.high[axis])});
  const auto most = static_cast<double>(kCubesOfABox) * static_cast<double>(boxes.size());
  for (double cube_um = std::max(whole, 1e-6) * 0x1p-19;; cube_um *= 2) {
    double sum = 0;
    for (const Bounds& box : boxes) {
      sum += cubes_of(box, cube_um);
      if (sum > most) break;
    }
    if (sum <= most) return cube_um;
  }
}

}  // namespace

Box3 voxels_reached(const Bounds& b, const VoxelSize& pitch, const Box3& box) {
  const auto [z0, z1] = reached(b.low[0], b.high[0], pitch.z_um, box.origin.z, box.size.z);
  const auto [y0, y1] = reached(b.low[1], b.high[1], pitch.y_um, box.origin.y, box.size.y);
  const auto [x0, x1] = reached(b.low[2], b.high[2], pitch.x_um, box.origin.x, box.size.x);
  return {{z0, y0, x0}, {z1 - z0, y1 - y0, x1 - x0}};
}

NearBoxes::NearBoxes(const std::vector<Bounds>& boxes) : boxes_{boxes}, cube_um_{size_for(boxes)} {
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for_each_cube(boxes[i], [&](std::uint64_t cube) {
      in_cubes_.emplace_back(cube, static_cast<std::int32_t>(i));
    });
  std::sort(in_cubes_.begin(), in_cubes_.end());
}

template <class Visit>
void NearBoxes::for_each_cube(const Bounds& box, Visit&& visit) const {
  std::array<std::int64_t, 3> low{}, high{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = static_cast<std::int64_t>(std::floor(box.low[axis] / cube_um_));
    high[axis] = static_cast<std::int64_t>(std::floor(box.high[axis] / cube_um_));
  }
  const auto part = [](std::int64_t at) { return static_cast<std::uint64_t>(at + (1 << 20)); };
  for (std::int64_t z = low[0]; z <= high[0]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t x = low[2]; x <= high[2]; ++x)
        visit((part(z) << 42) + (part(y) << 21) + part(x));
}

std::vector<std::int32_t> NearBoxes::of(std::int32_t number, std::int64_t& looks) const {
  const Bounds& box = boxes_[static_cast<std::size_t>(number)];
  std::vector<std::int32_t> found;
  for_each_cube(box, [&](std::uint64_t cube) {
    auto at =
        std::lower_bound(in_cubes_.begin(), in_cubes_.end(), std::pair{cube, std::int32_t{0}});
    for (; at != in_cubes_.end() && at->first == cube; ++at, ++looks)
      if (at->second != number && touch(box, boxes_[static_cast<std::size_t>(at->second)]))
        found.push_back(at->second);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::int64_t NearBoxes::bytes(std::int64_t boxes) {
  // Vectors grow by doubling
  return boxes * (std::int64_t{sizeof(Bounds)} +
                  2 * kCubesOfABox * std::int64_t{sizeof(std::pair<std::uint64_t, std::int32_t>)});
}

}  // namespace synthoscope::simulator
