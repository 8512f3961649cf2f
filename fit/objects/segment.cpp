// SPDX-License-Identifier: MIT
#include "fit/objects/segment.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include "core/base/assert.hpp"
#include "fit/objects/split_by_distance.hpp"
#include "score/surfaces/distance_transform.hpp"
#include "textures/patches/plane_patches.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kBlurPixels = 1.2;  ///< standard deviation, in pixels of the finer axes
constexpr double kDepthBlur = 0.8;   ///< of distances, in the same
constexpr std::size_t kMostOfHistogram = 500000;
constexpr double kDropped = 0.1;     ///< of the median object
constexpr std::int64_t kBytes = 20;  ///< for each voxel, at most at once

/// Blurs along one axis, with the outermost values continued.
void blur_axis(std::vector<float>& field, const Extent3& extent, int axis, double sigma,
               const RunContext& context) {
  const std::array<std::int64_t, 3> size{extent.z, extent.y, extent.x},
      stride{extent.y * extent.x, extent.x, 1};
  const auto a = static_cast<std::size_t>(axis);
  const std::int64_t length = size[a], step = stride[a];
  if (length == 1 || sigma < 0.2) return;
  const auto reach = static_cast<std::int64_t>(std::ceil(3 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = -reach; i <= reach; ++i) {
    const double at = static_cast<double>(i) / sigma;
    weights.push_back(std::exp(-at * at / 2));
    sum += weights.back();
  }
  const std::int64_t lines = volume(extent) / length;
  context.pool.for_ranges(lines, 256, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> line(static_cast<std::size_t>(length));
    for (std::int64_t number = begin; number < end; ++number) {
      // Lines are counted over the other two axes
      const std::int64_t first = number / step * step * length + number % step;
      for (std::int64_t i = 0; i < length; ++i)
        line[static_cast<std::size_t>(i)] = field[static_cast<std::size_t>(first + i * step)];
      for (std::int64_t i = 0; i < length; ++i) {
        double value = 0;
        for (std::int64_t k = -reach; k <= reach; ++k)
          value +=
              weights[static_cast<std::size_t>(k + reach)] *
              static_cast<double>(
                  line[static_cast<std::size_t>(std::clamp<std::int64_t>(i + k, 0, length - 1))]);
        field[static_cast<std::size_t>(first + i * step)] = static_cast<float>(value / sum);
      }
    }
  });
}

/// Blurs by the same length along all axes.
void blur(std::vector<float>& field, const simulator::Grid& grid, double sigma_pixels,
          const RunContext& context) {
  const VoxelSize& pitch = grid.pitch;
  const double um = sigma_pixels * std::min(pitch.y_um, pitch.x_um);
  blur_axis(field, grid.extent, 0, um / pitch.z_um, context);
  blur_axis(field, grid.extent, 1, um / pitch.y_um, context);
  blur_axis(field, grid.extent, 2, um / pitch.x_um, context);
}

/// Square roots: of dim and bright objects alike, noise is then equal, and a threshold between
/// background and the many dim ones is found.
std::vector<float> smoothed_roots(const LabelledImage& image, const RunContext& context) {
  std::vector<float> field = image.counts.voxels;
  blur(field, image.grid, kBlurPixels, context);
  const float least = *std::min_element(field.begin(), field.end());
  // Light of objects above and below lies around those of a stack: only the brightest part counts
  if (!image.is_plane()) return field;
  for (float& value : field) value = std::sqrt(value - least);
  return field;
}

double threshold_of(const std::vector<float>& field) {
  const std::size_t step = field.size() / kMostOfHistogram + 1;
  std::vector<double> values;
  for (std::size_t i = 0; i < field.size(); i += step)
    values.push_back(static_cast<double>(field[i]));
  return textures::otsu_threshold(values);
}

/// Fills what background from the border of a plane does not reach.
void fill_holes_of_plane(std::uint8_t* marks, const Extent3& extent) {
  constexpr std::uint8_t kBackground = 2;
  std::vector<std::int64_t> open;
  const auto reach = [&](std::int64_t y, std::int64_t x) {
    if (y < 0 || x < 0 || y >= extent.y || x >= extent.x) return;
    const std::int64_t place = y * extent.x + x;
    if (marks[place] != 0) return;
    marks[place] = kBackground;
    open.push_back(place);
  };
  for (std::int64_t y = 0; y < extent.y; ++y) reach(y, 0), reach(y, extent.x - 1);
  for (std::int64_t x = 0; x < extent.x; ++x) reach(0, x), reach(extent.y - 1, x);
  while (!open.empty()) {
    const std::int64_t y = open.back() / extent.x, x = open.back() % extent.x;
    open.pop_back();
    reach(y - 1, x), reach(y + 1, x), reach(y, x - 1), reach(y, x + 1);
  }
  for (std::int64_t i = 0; i < extent.y * extent.x; ++i) marks[i] = marks[i] == kBackground ? 0 : 1;
}

std::vector<std::uint8_t> bright_mask(const LabelledImage& image, const RunContext& context) {
  const std::vector<float> roots = smoothed_roots(image, context);
  const double threshold = threshold_of(roots);
  std::vector<std::uint8_t> mask(roots.size());
  std::transform(roots.begin(), roots.end(), mask.begin(), [&](float value) {
    return static_cast<std::uint8_t>(static_cast<double>(value) > threshold ? 1 : 0);
  });
  const Extent3& extent = image.grid.extent;
  context.pool.for_each(extent.z, [&](std::int64_t z) {
    fill_holes_of_plane(mask.data() + z * extent.y * extent.x, extent);
  });
  return mask;
}

std::vector<float> smoothed_depth(const std::vector<std::uint8_t>& mask,
                                  const simulator::Grid& grid, const RunContext& context) {
  std::vector<double> squares(mask.size());
  std::transform(mask.begin(), mask.end(), squares.begin(), [](std::uint8_t inside) {
    return inside != 0 ? std::numeric_limits<double>::infinity() : 0;
  });
  score::squared_distances(squares, grid.extent, grid.pitch);
  std::vector<float> depth(mask.size());
  const auto [z, y, x] = simulator::size_um(grid);
  const double most = std::max({z, y, x});  // if nothing is background
  std::transform(squares.begin(), squares.end(), depth.begin(), [&](double square) {
    return static_cast<float>(std::min(std::sqrt(square), most));
  });
  blur(depth, grid, kDepthBlur, context);
  return depth;
}

/// Drops small bodies and numbers the others from 1.
void renumber(Volume<std::uint32_t>& labels) {
  std::unordered_map<std::uint32_t, std::int64_t> sizes;
  for (const std::uint32_t label : labels.voxels)
    if (label != 0) ++sizes[label];
  if (sizes.empty()) return;
  std::vector<std::int64_t> all;
  for (const auto& [label, size] : sizes) all.push_back(size);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  const double least = kDropped * static_cast<double>(*middle);
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t& label : labels.voxels) {
    if (label == 0) continue;
    if (static_cast<double>(sizes[label]) < least)
      label = 0;
    else
      label =
          numbers.try_emplace(label, static_cast<std::uint32_t>(numbers.size() + 1)).first->second;
  }
}

}  // namespace

Volume<std::uint32_t> segment(const LabelledImage& image, const RunContext& context) {
  SYNTHOSCOPE_ASSERT(image.has_counts(), ==, true);
  const Reservation held =
      context.memory.reserve(kBytes * volume(image.grid.extent), "a rough segmentation");
  const std::vector<std::uint8_t> mask = bright_mask(image, context);
  context.stop.check();
  const std::vector<float> depth = smoothed_depth(mask, image.grid, context);
  Volume<std::uint32_t> labels = split_by_distance(mask, depth, image.grid);
  renumber(labels);
  return labels;
}

}  // namespace synthoscope::fit
