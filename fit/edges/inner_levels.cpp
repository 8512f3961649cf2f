// SPDX-License-Identifier: MIT
#include "fit/edges/inner_levels.hpp"
#include <algorithm>
#include <optional>
#include "fit/edges/object_outline.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kSurroundingsFrom = 2, kSurroundingsTo = 3;  ///< reaches from the border

struct MeanLevel {
  double sum = 0, pixels = 0;
  void add(double value) { sum += value, pixels += 1; }
  [[nodiscard]] double value() const { return sum / pixels; }
};

bool touches_border(const Outline& outline, const Extent3& extent) {
  return outline.low.y == 0 || outline.low.x == 0 || outline.high.y + 1 == extent.y ||
         outline.high.x + 1 == extent.x;
}

std::optional<InnerLevels> levels_in(const LabelledImage& image, std::uint32_t label,
                                     const Outline& outline, double reach) {
  const std::int64_t plane = outline.widest_plane();
  const DistancesAround around{image, label, outline, plane, kSurroundingsTo * reach};
  const double deepest = around.depth();
  if (deepest < kLeastInnerDepth) return std::nullopt;
  MeanLevel outside;
  std::array<MeanLevel, kInnerDepths.size() - 1> zones;
  for (std::int64_t y = 0; y < around.height; ++y)
    for (std::int64_t x = 0; x < around.width; ++x) {
      const auto distance = around.signed_distance(y, x);
      if (!distance) continue;
      const auto value =
          static_cast<double>(image.counts.view()(plane, around.y0 + y, around.x0 + x));
      if (*distance >= kSurroundingsFrom * reach && *distance <= kSurroundingsTo * reach)
        outside.add(value);
      for (std::size_t i = 0; i < zones.size(); ++i)
        if (-*distance >= kInnerDepths[i] * deepest && -*distance < kInnerDepths[i + 1] * deepest)
          zones[i].add(value);
    }
  const bool is_complete =
      outside.pixels > 0 && std::all_of(zones.begin(), zones.end(),
                                        [](const MeanLevel& zone) { return zone.pixels > 0; });
  if (!is_complete) return std::nullopt;
  const double middle = zones.back().value() - outside.value();
  if (!(middle > 0)) return std::nullopt;
  InnerLevels levels{};
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels[i] = (zones[i].value() - outside.value()) / middle;
  return levels;
}

}  // namespace

std::vector<InnerLevels> inner_levels(const LabelledImage& image, double reach) {
  std::vector<InnerLevels> all;
  for (const auto& [label, outline] : outlines_of(image.labels)) {
    if (touches_border(outline, image.grid.extent)) continue;
    if (const auto levels = levels_in(image, label, outline, reach)) all.push_back(*levels);
  }
  return all;
}

}  // namespace synthoscope::fit
