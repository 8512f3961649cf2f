// SPDX-License-Identifier: MIT
#include "fit/objects/split_by_distance.hpp"
#include <algorithm>
#include <array>
#include <cstddef>

namespace synthoscope::fit {
namespace {

constexpr float kWaist = 0.93F;  ///< of the lower peak: a saddle below this divides two bodies

/// Bodies that grow from peaks and merge. A body is named by a number from 1.
class GrowingBodies {
 public:
  std::uint32_t begin(float peak) {
    roots_.push_back(static_cast<std::uint32_t>(roots_.size()));
    peaks_.push_back(peak);
    return roots_.back();
  }
  std::uint32_t root(std::uint32_t body) {
    while (roots_[body] != body) {
      roots_[body] = roots_[roots_[body]];
      body = roots_[body];
    }
    return body;
  }
  /// Makes one of two bodies that meet at a saddle, if it is high enough.
  void meet(std::uint32_t a, std::uint32_t b, float saddle) {
    if (peaks_[a] < peaks_[b] || (peaks_[a] == peaks_[b] && a > b)) std::swap(a, b);
    if (saddle > kWaist * peaks_[b]) roots_[b] = a;
  }

 private:
  std::vector<std::uint32_t> roots_{0};  ///< 0 is no body
  std::vector<float> peaks_{0};
};

/// The neighbours of a voxel across faces, edges and corners.
template <class Visit>
void for_each_neighbour(const Extent3& extent, std::size_t place, Visit&& visit) {
  const auto at = static_cast<std::int64_t>(place);
  const std::int64_t area = extent.y * extent.x;
  const std::int64_t z = at / area, y = at % area / extent.x, x = at % extent.x;
  const auto range = [](std::int64_t center, std::int64_t size) {
    return std::array{std::max<std::int64_t>(center - 1, 0), std::min(center + 1, size - 1)};
  };
  const auto zs = range(z, extent.z), ys = range(y, extent.y), xs = range(x, extent.x);
  for (std::int64_t k = zs[0]; k <= zs[1]; ++k)
    for (std::int64_t j = ys[0]; j <= ys[1]; ++j)
      for (std::int64_t i = xs[0]; i <= xs[1]; ++i) {
        const std::int64_t to = (k * extent.y + j) * extent.x + i;
        if (to != at) visit(static_cast<std::size_t>(to));
      }
}

std::vector<std::size_t> deepest_first(const std::vector<std::uint8_t>& inside,
                                       const std::vector<float>& depth) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return depth[a] > depth[b] || (depth[a] == depth[b] && a < b);
  });
  return order;
}

}  // namespace

Volume<std::uint32_t> split_by_distance(const std::vector<std::uint8_t>& inside,
                                        const std::vector<float>& depth,
                                        const simulator::Grid& grid) {
  Volume<std::uint32_t> labels{grid.extent};
  GrowingBodies bodies;
  for (const std::size_t place : deepest_first(inside, depth)) {
    // A voxel belongs to the body of its deepest neighbour
    std::uint32_t own = 0;
    float deepest = -1;
    for_each_neighbour(grid.extent, place, [&](std::size_t to) {
      if (labels.voxels[to] == 0) return;
      if (depth[to] > deepest) {
        deepest = depth[to];
        own = labels.voxels[to];
      }
    });
    if (own != 0)
      for_each_neighbour(grid.extent, place, [&](std::size_t to) {
        if (labels.voxels[to] == 0) return;
        const std::uint32_t a = bodies.root(own), b = bodies.root(labels.voxels[to]);
        if (a != b) bodies.meet(a, b, depth[place]);
      });
    labels.voxels[place] = own != 0 ? own : bodies.begin(depth[place]);
  }
  for (std::uint32_t& label : labels.voxels) label = bodies.root(label);
  return labels;
}

}  // namespace synthoscope::fit
