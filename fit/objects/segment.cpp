// SPDX-License-Identifier: MIT
#include "fit/objects/segment.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include "core/base/assert.hpp"
#include "fit/objects/blur_field.hpp"
#include "fit/objects/focus_extent.hpp"
#include "fit/objects/half_height.hpp"
#include "fit/objects/split_by_distance.hpp"
#include "score/surfaces/distance_transform.hpp"
#include "textures/patches/plane_patches.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kBlurPixels = 1.2;  ///< standard deviation, in pixels of the finer axes
constexpr double kDepthBlur = 0.8;   ///< of distances, in the same
constexpr std::size_t kMostOfHistogram = 500000;
constexpr double kDropped = 0.1;     ///< of the body of the median voxel
constexpr int kHalfTurns = 3;        ///< in which borders are moved to half height
constexpr std::int64_t kBytes = 32;  ///< for each voxel, at most at once

/// Blurs by the same length along all axes.
void blur(std::vector<float>& field, const simulator::Grid& grid, double sigma_pixels,
          const RunContext& context) {
  const VoxelSize& pitch = grid.pitch;
  const double um = sigma_pixels * std::min(pitch.y_um, pitch.x_um);
  blur_field(field, grid.extent, {um / pitch.z_um, um / pitch.y_um, um / pitch.x_um}, context);
}

/// Square roots: of dim and bright objects alike, noise is then equal, and a threshold between
/// background and the many dim ones is found. Light of objects above and below lies around those of
/// a stack: there only the brightest part counts.
std::vector<float> roots_of_plane(std::vector<float> field, const LabelledImage& image) {
  if (!image.is_plane()) return field;
  const float least = *std::min_element(field.begin(), field.end());
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

void fill_holes(std::vector<std::uint8_t>& mask, const Extent3& extent, const RunContext& context) {
  context.pool.for_each(extent.z, [&](std::int64_t z) {
    fill_holes_of_plane(mask.data() + z * extent.y * extent.x, extent);
  });
}

std::vector<std::uint8_t> bright_mask(const std::vector<float>& field, const LabelledImage& image,
                                      const RunContext& context) {
  const std::vector<float> roots = roots_of_plane(field, image);
  const double threshold = threshold_of(roots);
  std::vector<std::uint8_t> mask(roots.size());
  std::transform(roots.begin(), roots.end(), mask.begin(), [&](float value) {
    return static_cast<std::uint8_t>(static_cast<double>(value) > threshold ? 1 : 0);
  });
  fill_holes(mask, image.grid.extent, context);
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
  // Of the body in which the median voxel lies, so that many specks do not count
  std::vector<std::int64_t> all;
  std::int64_t voxels = 0;
  for (const auto& [label, size] : sizes) {
    all.push_back(size);
    voxels += size;
  }
  std::sort(all.begin(), all.end());
  std::int64_t below = 0;
  std::size_t middle = 0;
  while (2 * (below + all[middle]) < voxels) below += all[middle++];
  const double least = kDropped * static_cast<double>(all[middle]);
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

Volume<std::uint32_t> bodies_in(const std::vector<std::uint8_t>& mask, const simulator::Grid& grid,
                                const RunContext& context) {
  Volume<std::uint32_t> labels = split_by_distance(mask, smoothed_depth(mask, grid, context), grid);
  renumber(labels);
  return labels;
}

}  // namespace

Volume<std::uint32_t> segment(const LabelledImage& image, const RunContext& context) {
  SYNTHOSCOPE_ASSERT(image.has_counts(), ==, true);
  const Reservation held =
      context.memory.reserve(kBytes * volume(image.grid.extent), "a rough segmentation");
  std::vector<float> field = image.counts.voxels;
  blur(field, image.grid, kBlurPixels, context);
  Volume<std::uint32_t> labels = bodies_in(bright_mask(field, image, context), image.grid, context);
  for (int turn = 0; turn < kHalfTurns; ++turn) {
    context.stop.check();
    std::vector<std::uint8_t> mask = above_half_height(field, labels);
    fill_holes(mask, image.grid.extent, context);
    labels = bodies_in(mask, image.grid, context);
  }
  if (!image.is_plane()) cut_to_focus(image, labels, context);
  renumber(labels);
  return labels;
}

}  // namespace synthoscope::fit
