// SPDX-License-Identifier: MIT
#include "score/tracks/divisions.hpp"
#include <algorithm>
#include <cstdlib>
#include "score/assignment/max_weight_matching.hpp"

namespace synthoscope::score {
namespace {

using ChildrenOfTracks = std::vector<std::vector<std::int32_t>>;

/// Finds the divisions of the result that equal a true one.
class SameDivisions {
 public:
  SameDivisions(const VertexMatches& matches, std::int64_t tolerance)
      : matches_{matches},
        tolerance_{tolerance},
        of_truth_{matches.truth().children()},
        of_results_{matches.results().children()} {}

  [[nodiscard]] DivisionCounts count() const {
    std::vector<WeightedEdge> same;
    for (std::int32_t i = 0; i < matches_.truth().count(); ++i)
      if (divides(of_truth_, i)) add_same(i, same);
    return {divisions_in(of_truth_), divisions_in(of_results_),
            std::ssize(max_weight_matching(same))};
  }

 private:
  static bool divides(const ChildrenOfTracks& children, std::int32_t track) {
    return children[static_cast<std::size_t>(track)].size() > 1;
  }

  static std::int64_t divisions_in(const ChildrenOfTracks& children) {
    return std::count_if(children.begin(), children.end(),
                         [](const auto& of_one) { return of_one.size() > 1; });
  }

  /// Adds an edge for each division of the result that is that of the parent `truth`.
  void add_same(std::int32_t truth, std::vector<WeightedEdge>& same) const {
    const std::int64_t end = matches_.truth().at(truth).end;
    for (std::int64_t frame = std::max<std::int64_t>(0, end - tolerance_); frame <= end; ++frame) {
      const std::int32_t result = matches_.only_result_of(truth, frame);
      if (result == kNoTrack || !divides(of_results_, result)) continue;
      const std::int64_t other_end = matches_.results().at(result).end;
      if (std::min(end, other_end) != frame || other_end - end > tolerance_) continue;
      if (have_same_children(truth, result))
        same.push_back({static_cast<std::size_t>(truth), static_cast<std::size_t>(result), 1.0});
    }
  }

  [[nodiscard]] bool have_same_children(std::int32_t truth, std::int32_t result) const {
    const auto& in_truth = of_truth_[static_cast<std::size_t>(truth)];
    const auto& in_results = of_results_[static_cast<std::size_t>(result)];
    if (in_truth.size() != in_results.size()) return false;
    std::vector<WeightedEdge> same;
    for (const std::int32_t child : in_truth)
      for (const std::int32_t other : in_results)
        if (is_same_child(child, other))
          same.push_back({static_cast<std::size_t>(child), static_cast<std::size_t>(other), 1.0});
    return max_weight_matching(same).size() == in_truth.size();
  }

  [[nodiscard]] bool is_same_child(std::int32_t truth, std::int32_t result) const {
    const std::int64_t begin = matches_.truth().at(truth).begin;
    const std::int64_t other_begin = matches_.results().at(result).begin;
    return std::abs(begin - other_begin) <= tolerance_ &&
           matches_.only_result_of(truth, std::max(begin, other_begin)) == result;
  }

  const VertexMatches& matches_;
  std::int64_t tolerance_;
  ChildrenOfTracks of_truth_, of_results_;
};

}  // namespace

std::optional<double> DivisionCounts::f1() const {
  if (truth == 0) return std::nullopt;
  return static_cast<double>(2 * both) / static_cast<double>(truth + results);
}

DivisionCounts division_counts(const VertexMatches& matches, std::int64_t tolerance) {
  return SameDivisions{matches, tolerance}.count();
}

}  // namespace synthoscope::score
