// SPDX-License-Identifier: MIT
#include "fit/edges/object_outline.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {

std::int64_t Outline::widest_plane() const {
  return std::max_element(sections.begin(), sections.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::map<std::uint32_t, Outline> outlines_of(const Volume<std::uint32_t>& labels) {
  std::map<std::uint32_t, Outline> all;
  const Extent3& e = labels.extent;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        const std::uint32_t label = labels.view()(z, y, x);
        if (label == 0) continue;
        const auto [found, is_new] = all.try_emplace(label, Outline{{z, y, x}, {z, y, x}, {}});
        Outline& o = found->second;
        o.low = {std::min(o.low.z, z), std::min(o.low.y, y), std::min(o.low.x, x)};
        o.high = {std::max(o.high.z, z), std::max(o.high.y, y), std::max(o.high.x, x)};
        ++o.sections[z];
      }
  return all;
}

template <class IsMarked>
std::vector<double> DistancesAround::distances(IsMarked&& is_marked) const {
  std::vector<double> field(static_cast<std::size_t>(height * width),
                            std::numeric_limits<double>::infinity());
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      if (is_marked(y, x)) field[static_cast<std::size_t>(y * width + x)] = 0;
  score::squared_distances(field, {1, height, width}, {1, ratio_, 1});
  for (double& value : field) value = std::sqrt(value);
  return field;
}

DistancesAround::DistancesAround(const LabelledImage& image, std::uint32_t label,
                                 const Outline& outline, std::int64_t plane, double margin)
    : ratio_{image.grid.pitch.y_um / image.grid.pitch.x_um} {
  const auto wide = static_cast<std::int64_t>(std::ceil(margin)) + 1;
  const Extent3& e = image.grid.extent;
  y0 = std::max<std::int64_t>(outline.low.y - wide, 0);
  x0 = std::max<std::int64_t>(outline.low.x - wide, 0);
  height = std::min(outline.high.y + wide + 1, e.y) - y0;
  width = std::min(outline.high.x + wide + 1, e.x) - x0;
  const auto labels = image.labels.view();
  const auto at = [&](std::int64_t y, std::int64_t x) { return labels(plane, y0 + y, x0 + x); };
  to_object_ = distances([&](auto y, auto x) { return at(y, x) == label; });
  to_outside_ = distances([&](auto y, auto x) { return at(y, x) != label; });
  to_others_ = distances([&](auto y, auto x) { return at(y, x) != label && at(y, x) != 0; });
}

std::optional<double> DistancesAround::signed_distance(std::int64_t y, std::int64_t x) const {
  const auto i = static_cast<std::size_t>(y * width + x);
  constexpr double kHalf = 0.5;  // the border lies between two pixels
  if (to_outside_[i] > 0) {
    if (to_others_[i] < to_outside_[i] + 2) return std::nullopt;
    return kHalf - to_outside_[i];
  }
  if (to_others_[i] < 2 * to_object_[i]) return std::nullopt;
  return to_object_[i] - kHalf;
}

double DistancesAround::depth() const {
  double deepest = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      deepest = std::max(deepest, -signed_distance(y, x).value_or(0));
  return deepest;
}

std::vector<ObjectDepth> object_depths(const LabelledImage& image) {
  std::vector<ObjectDepth> depths;
  for (const auto& [label, outline] : outlines_of(image.labels)) {
    const DistancesAround around{image, label, outline, outline.widest_plane(), 1};
    depths.push_back({around.depth(), static_cast<double>(outline.high.z - outline.low.z + 1) / 2});
  }
  return depths;
}

}  // namespace synthoscope::fit
