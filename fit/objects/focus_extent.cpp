// SPDX-License-Identifier: MIT
#include "fit/objects/focus_extent.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include "fit/objects/blur_field.hpp"
#include "fit/objects/label_moments.hpp"
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kFine = 1.5, kCoarse = 4;  ///< standard deviations of both blurs, pixels
constexpr double kInner = 2;         ///< coarse blurs from the border, where its light is not seen
constexpr double kFocus = 0.25;      ///< of the largest product: half of the amplitude
constexpr double kStay = 0.75;       ///< of the planes
constexpr double kCorrelated = 0.2;  ///< of the power that a plane shares with the next
constexpr std::int64_t kFewestInner = 50;  ///< pixels that tell how sharp a plane is

/// What lies between both blurs, in every plane.
std::vector<float> fine_structure(const LabelledImage& image, const RunContext& context) {
  std::vector<float> fine = image.counts.voxels, coarse = image.counts.voxels;
  blur_field(fine, image.grid.extent, {0, kFine, kFine}, context);
  blur_field(coarse, image.grid.extent, {0, kCoarse, kCoarse}, context);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] -= coarse[i];
  return fine;
}

/// The pixels of a label in one plane of its box.
struct LabelPlane {
  Extent3 extent;
  std::vector<double> depth;  ///< to the border, um; 0 outside
};

LabelPlane plane_of_label(const Volume<std::uint32_t>& labels, const LabelSums& sums,
                          std::int64_t z, const VoxelSize& pitch) {
  const Box3 box = sums.box();
  LabelPlane plane{{1, box.size.y + 2, box.size.x + 2}, {}};
  plane.depth.assign(static_cast<std::size_t>(volume(plane.extent)), 0);
  for (std::int64_t y = 0; y < box.size.y; ++y)
    for (std::int64_t x = 0; x < box.size.x; ++x)
      if (labels.view()(z, box.origin.y + y, box.origin.x + x) == sums.label)
        plane.depth[static_cast<std::size_t>((y + 1) * plane.extent.x + x + 1)] =
            std::numeric_limits<double>::infinity();
  score::squared_distances(plane.depth, plane.extent, pitch);
  for (double& depth : plane.depth) depth = std::sqrt(depth);
  return plane;
}

/// How much structure a label has in common in two neighbouring planes.
struct Sharpness {
  double product = 0, power = 0;  ///< means over its inner pixels; 0 if there are too few
};

Sharpness sharpness_of(const std::vector<float>& structure, const Volume<std::uint32_t>& labels,
                       const LabelSums& sums, std::int64_t z, const VoxelSize& pitch) {
  const Box3 box = sums.box();
  const LabelPlane plane = plane_of_label(labels, sums, z, pitch);
  const double inner = kInner * kCoarse * std::min(pitch.y_um, pitch.x_um);
  Sharpness sharpness;
  std::int64_t pixels = 0;
  for (std::int64_t y = 0; y < box.size.y; ++y)
    for (std::int64_t x = 0; x < box.size.x; ++x) {
      if (plane.depth[static_cast<std::size_t>((y + 1) * plane.extent.x + x + 1)] <= inner)
        continue;
      const Extent3& all = labels.extent;
      const auto here =
          static_cast<std::size_t>((z * all.y + box.origin.y + y) * all.x + box.origin.x + x);
      const auto next = here + static_cast<std::size_t>(all.y * all.x);
      if (labels.voxels[next] != sums.label) continue;
      const auto a = static_cast<double>(structure[here]), b = static_cast<double>(structure[next]);
      sharpness.product += a * b;
      sharpness.power += (a * a + b * b) / 2;
      ++pixels;
    }
  if (pixels < kFewestInner) return {};
  sharpness.product /= static_cast<double>(pixels);
  sharpness.power /= static_cast<double>(pixels);
  return sharpness;
}

/// Planes in which an object is in focus, counted from its first plane.
struct FocusRange {
  std::int64_t sharpest = 0;
  double middle = 0, half = 0;  ///< of the ellipsoid, planes
};

std::optional<FocusRange> focus_of(const std::vector<Sharpness>& pairs) {
  if (pairs.size() < 3) return std::nullopt;
  const auto sharpest = std::max_element(
      pairs.begin(), pairs.end(),
      [](const Sharpness& a, const Sharpness& b) { return a.product < b.product; });
  if (sharpest->product <= kCorrelated * sharpest->power) return std::nullopt;
  const double limit = kFocus * sharpest->product;
  auto first = sharpest, last = sharpest;
  while (first != pairs.begin() && (first - 1)->product >= limit) --first;
  while (last + 1 != pairs.end() && (last + 1)->product >= limit) ++last;
  const auto count = static_cast<double>(last - first + 1);
  if (count > kStay * static_cast<double>(pairs.size() + 1)) return std::nullopt;
  // A pair tells of the place between its planes
  return FocusRange{sharpest - pairs.begin(),
                    static_cast<double>(first - pairs.begin()) + count / 2, count / 2};
}

void reshape(Volume<std::uint32_t>& labels, const LabelSums& sums, const FocusRange& focus,
             const VoxelSize& pitch) {
  const Box3 box = sums.box();
  const LabelPlane plane = plane_of_label(labels, sums, box.origin.z + focus.sharpest, pitch);
  const double deepest = *std::max_element(plane.depth.begin(), plane.depth.end());
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    const double height = (static_cast<double>(z) - focus.middle) / focus.half;
    const double section = height * height < 1 ? std::sqrt(1 - height * height) : -1;
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x) {
        std::uint32_t& label = labels.view()(box.origin.z + z, box.origin.y + y, box.origin.x + x);
        const double depth =
            plane.depth[static_cast<std::size_t>((y + 1) * plane.extent.x + x + 1)];
        const bool is_inside = depth > 0 && 1 - depth / deepest <= section;
        if (label == sums.label && !is_inside) label = 0;
        if (label == 0 && is_inside) label = sums.label;
      }
  }
}

}  // namespace

void cut_to_focus(const LabelledImage& image, Volume<std::uint32_t>& labels,
                  const RunContext& context) {
  const std::vector<float> structure = fine_structure(image, context);
  LabelledImage labelled;
  labelled.grid = image.grid;
  labelled.labels = std::move(labels);
  const std::vector<LabelSums> all = label_sums(labelled, context);
  labels = std::move(labelled.labels);
  for (const LabelSums& sums : all) {
    context.stop.check();
    std::vector<Sharpness> pairs;
    for (std::int64_t z = sums.first.z; z < sums.last.z; ++z)
      pairs.push_back(sharpness_of(structure, labels, sums, z, image.grid.pitch));
    if (const auto focus = focus_of(pairs)) reshape(labels, sums, *focus, image.grid.pitch);
  }
}

}  // namespace synthoscope::fit
