// SPDX-License-Identifier: MIT
#include "fit/edges/edge_profiles.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "fit/edges/object_outline.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kSectors = 8;
constexpr std::size_t kMostPlanes = 5;   ///< of an object whose lateral edges are measured
constexpr double kFullSection = 0.8;     ///< of the largest section, of these planes
constexpr double kOutsideFrom = 2;       ///< reaches from the border, where the outside is level
constexpr double kOutsideFromAxial = 1;  ///< the same along z, where stacks often end
constexpr double kInnerColumns = 0.5;    ///< of the largest depth, of columns through an object

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
  const double deepest = -around.depth();
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

std::vector<ObjectEdge> lateral_edges(const LabelledImage& image, double reach) {
  std::vector<ObjectEdge> all;
  for (const auto& [label, outline] : outlines_of(image.labels)) {
    std::vector<UnscaledEdge> edges;
    for (const std::int64_t plane : planes_of(outline))
      add_lateral_edges(image, label, outline, plane, reach, edges);
    if (const auto edge = mean_edge(edges)) all.push_back(*edge);
  }
  return all;
}

std::vector<ObjectEdge> axial_edges(const LabelledImage& image, double reach) {
  std::vector<ObjectEdge> all;
  for (const auto& [label, outline] : outlines_of(image.labels))
    if (const auto edge = mean_edge(axial_edges_of(image, label, outline, reach)))
      all.push_back(*edge);
  return all;
}

}  // namespace synthoscope::fit
