// SPDX-License-Identifier: MIT
#include "score/assignment/max_weight_matching.hpp"
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace synthoscope::score {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr double kFar = std::numeric_limits<double>::infinity();

/// Vertices in the order of their numbers, without gaps.
std::vector<std::size_t> numbers_in(const std::vector<WeightedEdge>& edges,
                                    std::size_t WeightedEdge::*end) {
  std::vector<std::size_t> numbers;
  numbers.reserve(edges.size());
  for (const WeightedEdge& edge : edges) numbers.push_back(edge.*end);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::size_t place_of(std::size_t number, const std::vector<std::size_t>& numbers) {
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  return static_cast<std::size_t>(at - numbers.begin());
}

/// Matches one left vertex after the other. An edge costs the negative of its weight, and leaving a
/// left vertex alone costs nothing. Reduced costs, cost + potential(left) - potential(right), are
/// never below zero, so that Dijkstra's search finds the cheapest change of all earlier matches.
class Matching {
 public:
  explicit Matching(const std::vector<WeightedEdge>& edges)
      : edges_{edges},
        left_numbers_(numbers_in(edges, &WeightedEdge::left)),
        right_numbers_(numbers_in(edges, &WeightedEdge::right)),
        edges_of_(left_numbers_.size()),
        left_of_(edges.size()),
        right_of_(edges.size()),
        left_potential_(left_numbers_.size(), 0.0),
        right_potential_(right_numbers_.size(), 0.0),
        edge_of_left_(left_numbers_.size(), kNone),
        edge_of_right_(right_numbers_.size(), kNone),
        distance_(right_numbers_.size(), kFar),
        reached_by_(right_numbers_.size(), kNone),
        is_settled_(right_numbers_.size(), 0) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      left_of_[e] = place_of(edges[e].left, left_numbers_);
      right_of_[e] = place_of(edges[e].right, right_numbers_);
      if (edges[e].weight > 0) edges_of_[left_of_[e]].push_back(e);
    }
    for (std::size_t i = 0; i < left_numbers_.size(); ++i) match(i);
  }

  [[nodiscard]] std::vector<std::size_t> used() const {
    std::vector<std::size_t> used;
    for (const std::size_t edge : edge_of_left_)
      if (edge != kNone) used.push_back(edge);
    std::sort(used.begin(), used.end());
    return used;
  }

 private:
  /// The end of a cheapest path: a free right vertex, or a left vertex that is left alone.
  struct End {
    double distance = kFar;
    std::size_t free_right = kNone, lonely_left = kNone;
  };

  void match(std::size_t start) {
    for (const std::size_t edge : edges_of_[start])
      left_potential_[start] =
          std::max(left_potential_[start], edges_[edge].weight + right_potential_[right_of_[edge]]);
    const End end = search(start);
    // Reduced costs stay at or above zero, and are zero along the path
    left_potential_[start] -= end.distance;
    for (const std::size_t right : settled_) {
      const double shift = end.distance - distance_[right];
      right_potential_[right] -= shift;
      left_potential_[left_of_[edge_of_right_[right]]] -= shift;
    }
    std::size_t right = end.free_right;
    if (end.lonely_left != kNone) {
      if (end.lonely_left == start) return forget();
      right = right_of_[std::exchange(edge_of_left_[end.lonely_left], kNone)];
    }
    while (true) {
      const std::size_t edge = reached_by_[right], from = left_of_[edge];
      edge_of_right_[right] = edge;
      const std::size_t before = std::exchange(edge_of_left_[from], edge);
      if (from == start) break;
      right = right_of_[before];
    }
    forget();
  }

  End search(std::size_t start) {
    End end;
    Queue queue;
    std::size_t from = start;
    double so_far = 0;
    while (true) {
      // To leave it alone costs nothing, which its potential makes a reduced cost
      if (const double alone = so_far + left_potential_[from]; alone < end.distance)
        end = {alone, kNone, from};
      for (const std::size_t edge : edges_of_[from]) reach(edge, so_far, queue);
      while (!queue.empty() && is_settled_[queue.top().second]) queue.pop();
      if (queue.empty() || queue.top().first >= end.distance) return end;
      const auto [distance, right] = queue.top();
      queue.pop();
      if (edge_of_right_[right] == kNone) return {distance, right, kNone};
      is_settled_[right] = 1;
      settled_.push_back(right);
      so_far = distance;
      from = left_of_[edge_of_right_[right]];
    }
  }

  using Reached = std::pair<double, std::size_t>;
  using Queue = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

  void reach(std::size_t edge, double so_far, Queue& queue) {
    const std::size_t right = right_of_[edge];
    if (is_settled_[right]) return;
    const double reduced =
        left_potential_[left_of_[edge]] - right_potential_[right] - edges_[edge].weight;
    const double distance = so_far + std::max(reduced, 0.0);
    if (distance >= distance_[right]) return;
    if (distance_[right] == kFar) seen_.push_back(right);
    distance_[right] = distance;
    reached_by_[right] = edge;
    queue.emplace(distance, right);
  }

  void forget() {
    for (const std::size_t right : seen_) {
      distance_[right] = kFar;
      reached_by_[right] = kNone;
      is_settled_[right] = 0;
    }
    seen_.clear();
    settled_.clear();
  }

  const std::vector<WeightedEdge>& edges_;
  std::vector<std::size_t> left_numbers_, right_numbers_;
  std::vector<std::vector<std::size_t>> edges_of_;  ///< of each left vertex
  std::vector<std::size_t> left_of_, right_of_;     ///< of each edge
  std::vector<double> left_potential_, right_potential_;
  std::vector<std::size_t> edge_of_left_, edge_of_right_;
  std::vector<double> distance_;
  std::vector<std::size_t> reached_by_;
  std::vector<char> is_settled_;
  std::vector<std::size_t> seen_, settled_;
};

}  // namespace

std::vector<std::size_t> max_weight_matching(const std::vector<WeightedEdge>& edges) {
  return Matching{edges}.used();
}

}  // namespace synthoscope::score
