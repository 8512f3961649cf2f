// SPDX-License-Identifier: MIT
#include "score/spots/spot_pairs.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <set>
#include "core/base/error.hpp"
#include "score/spots/nearest_spot.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/score/spots/spot_lists.hpp"

namespace synthoscope::score {
namespace {

using test::random_spots;
using test::spot_at;

std::vector<SpotPair> pairs_of(const std::vector<Spot>& truth, const std::vector<Spot>& results,
                               double radius_um, bool is_plane = false, int threads = 2) {
  test::TestContext run{threads};
  return pair_spots(truth, results, radius_um, is_plane, run.context);
}

double distance_of(const Spot& a, const Spot& b, bool is_plane) {
  return std::hypot(is_plane ? 0 : a.at_um[0] - b.at_um[0], a.at_um[1] - b.at_um[1],
                    a.at_um[2] - b.at_um[2]);
}

/// Number of pairs and sum of distances: more pairs are better, then a lesser sum.
struct Choice {
  int pairs = 0;
  double sum = 0;
  [[nodiscard]] bool is_better_than(const Choice& other) const {
    return pairs != other.pairs ? pairs > other.pairs : sum < other.sum;
  }
};

/// Tries all choices.
Choice best_choice(const std::vector<Spot>& truth, const std::vector<Spot>& results,
                   double radius_um, bool is_plane, std::size_t from,
                   std::set<std::size_t> used = {}) {
  if (from == truth.size()) return {};
  Choice best = best_choice(truth, results, radius_um, is_plane, from + 1, used);
  for (std::size_t j = 0; j < results.size(); ++j) {
    const double distance = distance_of(truth[from], results[j], is_plane);
    if (used.count(j) || truth[from].frame != results[j].frame || distance > radius_um) continue;
    auto with = used;
    with.insert(j);
    Choice one = best_choice(truth, results, radius_um, is_plane, from + 1, with);
    ++one.pairs;
    one.sum += distance;
    if (one.is_better_than(best)) best = one;
  }
  return best;
}

TEST(SpotPairs, PreferTwoPairsToOneShortOne) {
  // The near pair (0, 0) would leave the others alone
  const std::vector<Spot> truth{spot_at(0, 0, 0), spot_at(0, 0, 0.9)};
  const std::vector<Spot> results{spot_at(0, 0, 0.1), spot_at(0, 0, -0.9)};
  const auto pairs = pairs_of(truth, results, 1);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].result, 1u);
  EXPECT_EQ(pairs[1].result, 0u);
  EXPECT_NEAR(pairs[1].distance_um, 0.8, 1e-12);
}

TEST(SpotPairs, OfTwoChoicesHaveTheLeastDistance) {
  const std::vector<Spot> truth{spot_at(0, 0, 0), spot_at(0, 1, 0)};
  const std::vector<Spot> results{spot_at(0, 0.9, 0), spot_at(0, 0.1, 0)};
  const auto pairs = pairs_of(truth, results, 2);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].result, 1u);
  EXPECT_EQ(pairs[1].result, 0u);
}

TEST(SpotPairs, IncludeTheRadius) {
  EXPECT_EQ(pairs_of({spot_at(0, 0, 0)}, {spot_at(0, 0, 0.5)}, 0.5).size(), 1u);
  EXPECT_EQ(pairs_of({spot_at(0, 0, 0)}, {spot_at(0, 0, 0.5)}, 0.49).size(), 0u);
}

TEST(SpotPairs, StayWithinAFrame) {
  EXPECT_TRUE(pairs_of({spot_at(0, 0, 0, 1)}, {spot_at(0, 0, 0, 2)}, 1).empty());
}

TEST(SpotPairs, OfPlanesIgnoreZ) {
  EXPECT_TRUE(pairs_of({spot_at(0, 0, 0)}, {spot_at(5, 0, 0)}, 1).empty());
  EXPECT_EQ(pairs_of({spot_at(0, 0, 0)}, {spot_at(5, 0, 0)}, 1, true).size(), 1u);
}

TEST(SpotPairs, AreTheBestOfAllChoices) {
  for (unsigned round = 0; round < 60; ++round) {
    const bool is_plane = round % 3 == 0;
    const auto truth = random_spots(1 + round % 7, {2, 2, 2}, 1 + round % 2, round);
    const auto results = random_spots(1 + round % 6, {2, 2, 2}, 1 + round % 2, 1000 + round);
    const Choice best = best_choice(truth, results, 1.1, is_plane, 0);
    const auto pairs = pairs_of(truth, results, 1.1, is_plane);
    double sum = 0;
    for (const SpotPair& pair : pairs) {
      EXPECT_NEAR(pair.distance_um, distance_of(truth[pair.truth], results[pair.result], is_plane),
                  1e-12);
      sum += pair.distance_um;
    }
    EXPECT_EQ(static_cast<int>(pairs.size()), best.pairs) << "round " << round;
    EXPECT_NEAR(sum, best.sum, 1e-9) << "round " << round;
  }
}

TEST(SpotPairs, OfManySpotsAreThoseOfEachNeighbourhood) {
  // Every spot is found 0.05 um away, and none is nearer than 1 um to another
  std::vector<Spot> truth, results;
  for (int i = 0; i < 20000; ++i) {
    const Spot spot = spot_at(i % 20, (i / 20) % 50, i / 1000 - 10);
    truth.push_back(spot);
    results.push_back(spot_at(spot.at_um[0] + 0.03, spot.at_um[1] - 0.04, spot.at_um[2]));
  }
  std::reverse(results.begin(), results.end());
  const auto pairs = pairs_of(truth, results, 0.3);
  ASSERT_EQ(pairs.size(), truth.size());
  for (const SpotPair& pair : pairs) EXPECT_EQ(pair.result, truth.size() - 1 - pair.truth);
}

TEST(SpotPairs, NeedARadius) {
  for (const double radius : {0.0, -1.0, kUnknown})
    test::expect_failure<InvalidSpec>([&] { pairs_of({}, {}, radius); }, {"radius", "above 0"});
}

TEST(NearestSpot, IsTheNearestOfAllOthersOfItsFrame) {
  for (const bool is_plane : {false, true}) {
    const auto spots = random_spots(300, {1, 5, 5}, 3, 5);
    test::TestContext run;
    const auto nearest = nearest_distances(spots, is_plane, run.context);
    for (std::size_t i = 0; i < spots.size(); ++i) {
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < spots.size(); ++j)
        if (i != j && spots[i].frame == spots[j].frame)
          best = std::min(best, distance_of(spots[i], spots[j], is_plane));
      EXPECT_NEAR(nearest[i], best, 1e-12) << i;
    }
  }
}

TEST(NearestSpot, OfOneSpotIsInfinitelyFar) {
  test::TestContext run;
  EXPECT_TRUE(std::isinf(nearest_distances({spot_at(1, 2, 3)}, false, run.context)[0]));
  const std::vector<Spot> same{spot_at(1, 2, 3), spot_at(1, 2, 3)};
  EXPECT_EQ(nearest_distances(same, false, run.context)[0], 0);
}

}  // namespace
}  // namespace synthoscope::score
