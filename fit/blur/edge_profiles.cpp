// SPDX-License-Identifier: MIT
#include "fit/blur/edge_profiles.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kSectors = 8;
constexpr std::size_t kMostPlanes = 5;   ///< of an object whose lateral edges are measured
constexpr double kFullSection = 0.8;     ///< of the largest section, of these planes
constexpr double kOutsideFrom = 2;       ///< reaches from the border, where the outside is level
constexpr double kOutsideFromAxial = 1;  ///< the same along z, where stacks often end
constexpr double kInnerColumns = 0.5;    ///< of the largest depth, of columns through an object

/// Where an object lies, and the size of its sections.
struct Outline {
  Index3 low, high;                               ///< its box, inclusive
  std::map<std::int64_t, std::int64_t> sections;  ///< pixels of each plane

  [[nodiscard]] std::int64_t widest_plane() const {
    return std::max_element(sections.begin(), sections.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

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

/// Distances of the pixels around an object in one plane, in pixels along x.
class DistancesAround {
 public:
  DistancesAround(const LabelledImage& image, std::uint32_t label, const Outline& outline,
                  std::int64_t plane, double margin)
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

  /// The signed distance from the border of the object, below 0 inside; nothing for a pixel that
  /// another object may light.
  [[nodiscard]] std::optional<double> signed_distance(std::int64_t y, std::int64_t x) const {
    const auto i = static_cast<std::size_t>(y * width + x);
    constexpr double kHalf = 0.5;  // the border lies between two pixels
    if (to_outside_[i] > 0) {
      if (to_others_[i] < to_outside_[i] + 2) return std::nullopt;
      return kHalf - to_outside_[i];
    }
    if (to_others_[i] < 2 * to_object_[i]) return std::nullopt;
    return to_object_[i] - kHalf;
  }

  std::int64_t y0 = 0, x0 = 0, height = 0, width = 0;  ///< the box of these pixels

 private:
  template <class IsMarked>
  std::vector<double> distances(IsMarked&& is_marked) const {
    std::vector<double> field(static_cast<std::size_t>(height * width),
                              std::numeric_limits<double>::infinity());
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        if (is_marked(y, x)) field[static_cast<std::size_t>(y * width + x)] = 0;
    score::squared_distances(field, {1, height, width}, {1, ratio_, 1});
    for (double& value : field) value = std::sqrt(value);
    return field;
  }

  double ratio_;
  std::vector<double> to_object_, to_outside_, to_others_;
};

/// The planes in which an object has nearly its largest section, next to that one.
std::vector<std::int64_t> planes_of(const Outline& outline) {
  const std::int64_t widest = outline.widest_plane();
  const double least = kFullSection * static_cast<double>(outline.sections.at(widest));
  std::vector<std::int64_t> planes;
  for (const auto& [plane, pixels] : outline.sections)
    if (static_cast<double>(pixels) >= least) planes.push_back(plane);
  std::sort(planes.begin(), planes.end(), [&](std::int64_t a, std::int64_t b) {
    return std::pair{std::abs(a - widest), a} < std::pair{std::abs(b - widest), b};
  });
  planes.resize(std::min(planes.size(), kMostPlanes));
  return planes;
}

void add_lateral_edges(const LabelledImage& image, std::uint32_t label, const Outline& outline,
                       std::int64_t plane, double reach, std::vector<UnscaledEdge>& edges) {
  const DistancesAround around{image, label, outline, plane, SignedBins::kOutsideReaches * reach};
  const double middle_y = static_cast<double>(outline.low.y + outline.high.y) / 2;
  const double middle_x = static_cast<double>(outline.low.x + outline.high.x) / 2;
  std::vector<SignedBins> sectors(kSectors, SignedBins{reach});
  for (std::int64_t y = 0; y < around.height; ++y)
    for (std::int64_t x = 0; x < around.width; ++x) {
      const auto distance = around.signed_distance(y, x);
      if (!distance) continue;
      const double angle = std::atan2(static_cast<double>(around.y0 + y) - middle_y,
                                      static_cast<double>(around.x0 + x) - middle_x);
      const double turn = angle / (2 * std::numbers::pi) + 0.5;
      const auto sector = std::min(static_cast<std::size_t>(turn * kSectors), kSectors - 1);
      sectors[sector].add(
          *distance, static_cast<double>(image.counts.view()(plane, around.y0 + y, around.x0 + x)));
    }
  for (const SignedBins& sector : sectors)
    if (const auto edge = sector.edge(kOutsideFrom * reach)) edges.push_back(*edge);
}

/// The first and last plane of an object in a column; nothing if it is not there.
std::optional<std::pair<std::int64_t, std::int64_t>> run_of(const LabelledImage& image,
                                                            std::uint32_t label,
                                                            const Outline& outline, std::int64_t y,
                                                            std::int64_t x) {
  std::int64_t first = -1, last = -1;
  for (std::int64_t z = outline.low.z; z <= outline.high.z; ++z)
    if (image.labels.view()(z, y, x) == label) {
      if (first < 0) first = z;
      last = z;
    }
  if (first < 0) return std::nullopt;
  return std::pair{first, last};
}

/// Adds the values of a column from the middle of an object to one of its ends and beyond, up to
/// another object. @param direction  1: to larger z, -1: to smaller z
void add_column(const LabelledImage& image, std::uint32_t label, std::int64_t y, std::int64_t x,
                std::pair<std::int64_t, std::int64_t> run, int direction, SignedBins& bins) {
  const double end =
      direction > 0 ? static_cast<double>(run.second) + 0.5 : static_cast<double>(run.first) - 0.5;
  for (std::int64_t z = (run.first + run.second) / 2; z >= 0 && z < image.grid.extent.z;
       z += direction) {
    const std::uint32_t here = image.labels.view()(z, y, x);
    if (here != label && here != 0) break;
    bins.add(direction * (static_cast<double>(z) - end),
             static_cast<double>(image.counts.view()(z, y, x)));
  }
}

std::vector<UnscaledEdge> axial_edges_of(const LabelledImage& image, std::uint32_t label,
                                         const Outline& outline, double reach) {
  const DistancesAround around{image, label, outline, outline.widest_plane(), 1};
  double deepest = 0;
  for (std::int64_t y = 0; y < around.height; ++y)
    for (std::int64_t x = 0; x < around.width; ++x)
      deepest = std::min(deepest, around.signed_distance(y, x).value_or(0));
  SignedBins up{reach}, down{reach};
  for (std::int64_t y = 0; y < around.height; ++y)
    for (std::int64_t x = 0; x < around.width; ++x) {
      if (around.signed_distance(y, x).value_or(0) >= kInnerColumns * deepest) continue;
      const auto run = run_of(image, label, outline, around.y0 + y, around.x0 + x);
      if (!run) continue;
      add_column(image, label, around.y0 + y, around.x0 + x, *run, 1, up);
      add_column(image, label, around.y0 + y, around.x0 + x, *run, -1, down);
    }
  std::vector<UnscaledEdge> edges;
  for (const SignedBins* bins : {&up, &down})
    if (const auto edge = bins->edge(kOutsideFromAxial * reach)) edges.push_back(*edge);
  return edges;
}

}  // namespace

std::vector<EdgeProfile> lateral_edges(const LabelledImage& image, double reach) {
  std::vector<EdgeProfile> profiles;
  for (const auto& [label, outline] : outlines_of(image.labels)) {
    std::vector<UnscaledEdge> edges;
    for (const std::int64_t plane : planes_of(outline))
      add_lateral_edges(image, label, outline, plane, reach, edges);
    if (const auto profile = mean_edge(edges)) profiles.push_back(*profile);
  }
  return profiles;
}

std::vector<EdgeProfile> axial_edges(const LabelledImage& image, double reach) {
  std::vector<EdgeProfile> profiles;
  for (const auto& [label, outline] : outlines_of(image.labels))
    if (const auto profile = mean_edge(axial_edges_of(image, label, outline, reach)))
      profiles.push_back(*profile);
  return profiles;
}

std::vector<ObjectDepth> object_depths(const LabelledImage& image) {
  std::vector<ObjectDepth> depths;
  for (const auto& [label, outline] : outlines_of(image.labels)) {
    const DistancesAround around{image, label, outline, outline.widest_plane(), 1};
    ObjectDepth depth;
    for (std::int64_t y = 0; y < around.height; ++y)
      for (std::int64_t x = 0; x < around.width; ++x)
        depth.pixels = std::max(depth.pixels, -around.signed_distance(y, x).value_or(0));
    depth.planes = static_cast<double>(outline.high.z - outline.low.z + 1) / 2;
    depths.push_back(depth);
  }
  return depths;
}

}  // namespace synthoscope::fit
