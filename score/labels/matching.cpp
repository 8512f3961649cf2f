// SPDX-License-Identifier: MIT
#include "score/labels/matching.hpp"
#include <algorithm>
#include "score/assignment/max_weight_matching.hpp"

namespace synthoscope::score {
namespace {

/// Above this threshold, no object has two partners.
constexpr double kUniqueAbove = 0.5;

std::vector<Match> unique_matches(const OverlapTable& table, double threshold) {
  std::vector<Match> matches;
  for (const Overlap& overlap : table.overlaps)
    if (const double iou = table.iou(overlap); iou >= threshold)
      matches.push_back({overlap.truth, overlap.result, iou});
  return matches;
}

/// A pair at the threshold weighs 1, and all intersections over union together weigh at most 1/2,
/// so that the number of matches comes first.
std::vector<Match> assigned_matches(const OverlapTable& table, double threshold) {
  const std::size_t at_most = std::min(table.truth.size(), table.results.size());
  const double share = 0.5 / static_cast<double>(std::max<std::size_t>(at_most, 1));
  std::vector<WeightedEdge> edges;
  edges.reserve(table.overlaps.size());
  for (const Overlap& overlap : table.overlaps) {
    const double iou = table.iou(overlap);
    edges.push_back({overlap.truth, overlap.result, (iou >= threshold ? 1 : 0) + share * iou});
  }
  std::vector<Match> matches;
  for (const std::size_t edge : max_weight_matching(edges)) {
    const Overlap& overlap = table.overlaps[edge];
    if (const double iou = table.iou(overlap); iou >= threshold)
      matches.push_back({overlap.truth, overlap.result, iou});
  }
  return matches;
}

}  // namespace

std::vector<Match> matches_of(const OverlapTable& table, double threshold) {
  return threshold > kUniqueAbove ? unique_matches(table, threshold)
                                  : assigned_matches(table, threshold);
}

}  // namespace synthoscope::score
