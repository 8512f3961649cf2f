// SPDX-License-Identifier: MIT
#include "fit/texture/object_sections.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include "fit/estimates/robust.hpp"
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kMainSection = 0.7;  ///< area of a plane through the middle over the largest
constexpr std::size_t kMostSections = 5;
constexpr double kAroundNear = 4, kAroundFar = 14;  ///< of surroundings, in standard deviations
constexpr std::size_t kFewestPixelsAround = 20;

/// Distances in pixels to the nearest pixel with the mark 0.
void take_roots_of_distances(std::vector<double>& marks, std::int64_t rows, std::int64_t columns) {
  score::squared_distances(marks, {1, rows, columns}, {1, 1, 1});
  for (double& value : marks) value = std::sqrt(value);
}

}  // namespace

std::vector<std::int64_t> ObjectBox::main_planes() const {
  const double most = *std::max_element(areas.begin(), areas.end());
  std::vector<std::int64_t> planes, chosen;
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (areas[i] >= kMainSection * most) planes.push_back(first.z + static_cast<std::int64_t>(i));
  const std::size_t count = std::min(planes.size(), kMostSections);
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(planes[(2 * i + 1) * planes.size() / (2 * count)]);
  return chosen;
}

double Section::deepest() const {
  return *std::max_element(depth.begin(), depth.end());
}

std::vector<ObjectBox> object_boxes(const LabelledImage& image) {
  const Extent3& extent = image.grid.extent;
  const auto labels = image.labels.view();
  std::vector<ObjectBox> all;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const std::uint32_t label = labels(z, y, x);
        if (label == 0) continue;
        if (label >= all.size()) all.resize(label + std::size_t{1});
        ObjectBox& one = all[label];
        if (one.label == 0) one = {label, {z, y, x}, {z, y, x}, {}};
        one.first = {std::min(one.first.z, z), std::min(one.first.y, y), std::min(one.first.x, x)};
        one.last = {std::max(one.last.z, z), std::max(one.last.y, y), std::max(one.last.x, x)};
        one.areas.resize(static_cast<std::size_t>(z - one.first.z + 1));
        ++one.areas.back();
      }
  std::erase_if(all, [&](const ObjectBox& one) {
    return one.label == 0 || one.first.y == 0 || one.first.x == 0 || one.last.y + 1 == extent.y ||
           one.last.x + 1 == extent.x;
  });
  return all;
}

Section section_of(const LabelledImage& image, const ObjectBox& object, std::int64_t z,
                   double scale) {
  const auto around = static_cast<std::int64_t>(std::ceil(kAroundFar * scale));
  const Extent3& extent = image.grid.extent;
  const std::int64_t y0 = std::max<std::int64_t>(object.first.y - around, 0),
                     y1 = std::min(object.last.y + around + 1, extent.y),
                     x0 = std::max<std::int64_t>(object.first.x - around, 0),
                     x1 = std::min(object.last.x + around + 1, extent.x);
  Section section{y1 - y0, x1 - x0, {}, {}, {}};
  const bool has_counts = image.has_counts();
  constexpr double kUnmarked = std::numeric_limits<double>::infinity();
  for (std::int64_t y = y0; y < y1; ++y)
    for (std::int64_t x = x0; x < x1; ++x) {
      const std::uint32_t label = image.labels.view()(z, y, x);
      section.counts.push_back(has_counts ? static_cast<double>(image.counts.view()(z, y, x)) : 0);
      section.depth.push_back(label == object.label ? kUnmarked : 0);
      section.from_labels.push_back(label == 0 ? kUnmarked : 0);
    }
  take_roots_of_distances(section.depth, section.rows, section.columns);
  take_roots_of_distances(section.from_labels, section.rows, section.columns);
  return section;
}

double level_around(const Section& section, double scale) {
  for (const double nearest : {kAroundNear * scale, kAroundNear * scale / 2, 0.5}) {
    std::vector<double> around;
    for (std::size_t i = 0; i < section.size(); ++i)
      if (section.from_labels[i] >= nearest && section.from_labels[i] <= kAroundFar * scale)
        around.push_back(section.counts[i]);
    if (around.size() >= kFewestPixelsAround) return mean_of_middle_half(std::move(around));
  }
  std::vector<double> all = section.counts;
  const auto low = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 10);
  std::nth_element(all.begin(), low, all.end());
  return *low;
}

}  // namespace synthoscope::fit
