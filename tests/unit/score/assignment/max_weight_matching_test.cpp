// SPDX-License-Identifier: MIT
#include "score/assignment/max_weight_matching.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <set>

namespace synthoscope::score {
namespace {

double weight_of(const std::vector<std::size_t>& used, const std::vector<WeightedEdge>& edges) {
  double sum = 0;
  for (const std::size_t edge : used) sum += edges[edge].weight;
  return sum;
}

bool is_one_to_one(const std::vector<std::size_t>& used, const std::vector<WeightedEdge>& edges) {
  std::set<std::size_t> left, right;
  return std::all_of(used.begin(), used.end(), [&](std::size_t edge) {
    return left.insert(edges[edge].left).second && right.insert(edges[edge].right).second;
  });
}

/// Tries all choices of edges.
double best_of_all(const std::vector<WeightedEdge>& edges, std::size_t from,
                   std::set<std::size_t> left, std::set<std::size_t> right) {
  if (from == edges.size()) return 0;
  double best = best_of_all(edges, from + 1, left, right);
  const WeightedEdge& edge = edges[from];
  if (left.insert(edge.left).second && right.insert(edge.right).second)
    best = std::max(best, edge.weight + best_of_all(edges, from + 1, left, right));
  return best;
}

TEST(MaxWeightMatching, OfNothingIsEmpty) {
  EXPECT_TRUE(max_weight_matching({}).empty());
}

TEST(MaxWeightMatching, GivesUpABetterEdgeForTwoGoodOnes) {
  const std::vector<WeightedEdge> edges{{0, 0, 3}, {0, 1, 2}, {1, 0, 2}};
  EXPECT_EQ(max_weight_matching(edges), (std::vector<std::size_t>{1, 2}));
}

TEST(MaxWeightMatching, LeavesAVertexAloneIfThatIsBetter) {
  const std::vector<WeightedEdge> edges{{0, 0, 1}, {1, 0, 5}};
  EXPECT_EQ(max_weight_matching(edges), (std::vector<std::size_t>{1}));
}

TEST(MaxWeightMatching, DoesNotUseAnEdgeWithoutWeight) {
  EXPECT_TRUE(max_weight_matching({{0, 0, 0}, {1, 1, -1}}).empty());
}

TEST(MaxWeightMatching, TakesNumbersWithGaps) {
  const std::vector<WeightedEdge> edges{{70000, 9, 1}, {5, 1000000, 1}};
  EXPECT_EQ(max_weight_matching(edges).size(), 2u);
}

TEST(MaxWeightMatching, IsTheBestOfAllChoices) {
  std::mt19937 random{7};
  for (int round = 0; round < 300; ++round) {
    std::vector<WeightedEdge> edges;
    const std::size_t left = 1 + random() % 5, right = 1 + random() % 5;
    for (std::size_t i = 0; i < left; ++i)
      for (std::size_t j = 0; j < right; ++j)
        if (random() % 2 == 0) edges.push_back({i, j, static_cast<double>(random() % 9) / 8});
    std::shuffle(edges.begin(), edges.end(), random);
    if (edges.size() > 14) edges.resize(14);
    const auto used = max_weight_matching(edges);
    EXPECT_TRUE(is_one_to_one(used, edges));
    EXPECT_NEAR(weight_of(used, edges), best_of_all(edges, 0, {}, {}), 1e-12) << "round " << round;
  }
}

TEST(MaxWeightMatching, OfALongChainTakesEveryOtherEdge) {
  std::vector<WeightedEdge> edges;
  constexpr std::size_t kLinks = 20000;
  for (std::size_t i = 0; i < kLinks; ++i) {
    edges.push_back({i, i, 1});
    edges.push_back({i, i + 1, 1.5});
  }
  const auto used = max_weight_matching(edges);
  EXPECT_EQ(used.size(), kLinks);
  EXPECT_DOUBLE_EQ(weight_of(used, edges), 1.5 * kLinks);
}

}  // namespace
}  // namespace synthoscope::score
