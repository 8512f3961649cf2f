// SPDX-License-Identifier: MIT
#include "fit/images/grown_labels.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

/// A part of a plane, in pixels.
struct PlaneBox {
  std::int64_t y0 = 0, x0 = 0, y1 = 0, x1 = 0;  ///< y1 and x1 are beyond it
};

/// Returns the squares of the distances of all pixels of a box to the marked ones, in um^2.
template <class IsMarked>
std::vector<double> squares_in(const PlaneBox& box, const VoxelSize& pitch, IsMarked&& is_marked) {
  const Extent3 extent{1, box.y1 - box.y0, box.x1 - box.x0};
  std::vector<double> field(static_cast<std::size_t>(volume(extent)),
                            std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (std::int64_t y = box.y0; y < box.y1; ++y)
    for (std::int64_t x = box.x0; x < box.x1; ++x, ++i)
      if (is_marked(y, x)) field[i] = 0;
  score::squared_distances(field, extent, pitch);
  return field;
}

std::map<std::uint32_t, PlaneBox> boxes_of(const std::uint32_t* labels, const Extent3& extent) {
  std::map<std::uint32_t, PlaneBox> boxes;
  for (std::int64_t y = 0; y < extent.y; ++y)
    for (std::int64_t x = 0; x < extent.x; ++x) {
      const std::uint32_t label = labels[y * extent.x + x];
      if (label == 0) continue;
      PlaneBox& box = boxes.try_emplace(label, PlaneBox{y, x, y + 1, x + 1}).first->second;
      box = {std::min(box.y0, y), std::min(box.x0, x), std::max(box.y1, y + 1),
             std::max(box.x1, x + 1)};
    }
  return boxes;
}

/// The square of the distance between middles of pixels, up to which a border that lies half a
/// pixel from the outermost one moves over a pixel.
double farthest_square(double um, const VoxelSize& pitch) {
  const double half_pixel = (pitch.y_um + pitch.x_um) / 4;
  return (um + half_pixel) * (um + half_pixel);
}

/// Background goes to the nearest object that reaches it.
void grow_plane(std::uint32_t* labels, const simulator::Grid& grid, double um) {
  const Extent3& e = grid.extent;
  const double farthest = farthest_square(um, grid.pitch);
  const std::vector<std::uint32_t> before(labels, labels + e.y * e.x);
  std::vector<double> nearest(before.size(), std::numeric_limits<double>::infinity());
  const auto margin_y = static_cast<std::int64_t>(um / grid.pitch.y_um) + 2;
  const auto margin_x = static_cast<std::int64_t>(um / grid.pitch.x_um) + 2;
  for (const auto& [label, own] : boxes_of(before.data(), e)) {
    const PlaneBox box{std::max<std::int64_t>(own.y0 - margin_y, 0),
                       std::max<std::int64_t>(own.x0 - margin_x, 0),
                       std::min(own.y1 + margin_y, e.y), std::min(own.x1 + margin_x, e.x)};
    const auto place = [&](std::int64_t y, std::int64_t x) {
      return static_cast<std::size_t>(y * e.x + x);
    };
    const std::vector<double> squares =
        squares_in(box, grid.pitch,
                   [&, label = label](auto y, auto x) { return before[place(y, x)] == label; });
    std::size_t i = 0;
    for (std::int64_t y = box.y0; y < box.y1; ++y)
      for (std::int64_t x = box.x0; x < box.x1; ++x, ++i) {
        const std::size_t at = place(y, x);
        if (before[at] != 0 || squares[i] > farthest || squares[i] >= nearest[at]) continue;
        nearest[at] = squares[i];
        labels[at] = label;
      }
  }
}

void shrink_plane(std::uint32_t* labels, const simulator::Grid& grid, double um) {
  const Extent3& e = grid.extent;
  const double farthest = farthest_square(um, grid.pitch);
  const std::vector<double> squares = squares_in(
      {0, 0, e.y, e.x}, grid.pitch, [&](auto y, auto x) { return labels[y * e.x + x] == 0; });
  for (std::size_t i = 0; i < squares.size(); ++i)
    if (squares[i] <= farthest) labels[i] = 0;
}

}  // namespace

void grow_labels(LabelledImage& image, double um) {
  if (um == 0 || !image.has_labels()) return;
  for (std::int64_t z = 0; z < image.grid.extent.z; ++z) {
    std::uint32_t* const plane = image.labels.view().row(z, 0);
    if (um > 0)
      grow_plane(plane, image.grid, um);
    else
      shrink_plane(plane, image.grid, -um);
  }
}

}  // namespace synthoscope::fit
