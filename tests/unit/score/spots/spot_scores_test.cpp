// SPDX-License-Identifier: MIT
#include "score/spots/spot_scores.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/score/spots/spot_lists.hpp"

namespace synthoscope::score {
namespace {

using test::list_of;
using test::space_of_frames;
using test::spot_at;

ScoredSpots scored(const SpotList& truth, const SpotList& results, double radius_um,
                   std::int64_t planes = 20, const BoundedSpots& bounded = {}) {
  test::TestContext run;
  auto all =
      score_spots(truth, results, radius_um, space_of_frames(2, planes), bounded, run.context);
  all.counted = {};  // the budget ends here
  return all;
}

/// Two of three spots are found, and one result is false. Errors are (0.1, 0, 0.2) and
/// (-0.3, 0, 0.2).
const std::vector<Spot> kTruth{spot_at(1, 1, 1), spot_at(1, 3, 1), spot_at(2, 2, 2, 1)};
const std::vector<Spot> kResults{spot_at(1.1, 1, 1.2), spot_at(1.7, 2, 2.2, 1), spot_at(4, 4, 4)};

TEST(SpotScores, CountMatches) {
  const SpotScores s = scored(list_of(kTruth), list_of(kResults), 0.5).scores;
  EXPECT_EQ(s.matched, 2);
  EXPECT_DOUBLE_EQ(s.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(s.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(s.f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(s.jaccard, 0.5);
}

TEST(SpotScores, MeasureErrorsAlongEachAxis) {
  const SpotScores s = scored(list_of(kTruth), list_of(kResults), 0.5).scores;
  EXPECT_NEAR(s.rmse_um[0], std::sqrt(0.05), 1e-12);
  EXPECT_NEAR(s.rmse_um[1], 0, 1e-12);
  EXPECT_NEAR(s.rmse_um[2], 0.2, 1e-12);
  EXPECT_NEAR(s.rmse_lateral_um, 0.2, 1e-12);
  EXPECT_NEAR(s.rmse_axial_um, std::sqrt(0.05), 1e-12);
  EXPECT_NEAR(s.bias_um[0], -0.1, 1e-12);
  EXPECT_NEAR(s.bias_error_um[0], 0.2, 1e-12);  // 0.4 / sqrt(2) / sqrt(2)
  EXPECT_NEAR(s.bias_um[2], 0.2, 1e-12);
  EXPECT_NEAR(s.bias_error_um[2], 0, 1e-7);
}

TEST(SpotScores, OfOnePlaneHaveNoZ) {
  auto truth = list_of({spot_at(0.1, 1, 1)}), results = list_of({spot_at(0, 1.3, 1.4)});
  results.has_z = false;
  const SpotScores s = scored(truth, results, 0.6, 1).scores;
  EXPECT_EQ(s.matched, 1);
  EXPECT_TRUE(std::isnan(s.rmse_um[0]));
  EXPECT_NEAR(s.rmse_lateral_um, 0.5, 1e-12);
}

TEST(SpotScores, RefuseResultsWithoutZForPlanes) {
  auto results = list_of({spot_at(0, 1, 1)}, "found.csv");
  results.has_z = false;
  test::expect_failure<InvalidInput>([&] { scored(list_of(kTruth), results, 0.5); },
                                     {"found.csv", "no z", "20 planes"});
}

TEST(SpotScores, OfNothingAreOneIfThereIsNothing) {
  const SpotScores both = scored(list_of({}), list_of({}), 1).scores;
  for (const double score : {both.precision, both.recall, both.f1, both.jaccard})
    EXPECT_EQ(score, 1);
  EXPECT_TRUE(std::isnan(both.rmse_um[1]));
  for (const SpotScores& one : {scored(list_of(kTruth), list_of({}), 1).scores,
                                scored(list_of({}), list_of(kResults), 1).scores})
    for (const double score : {one.precision, one.recall, one.f1, one.jaccard}) EXPECT_EQ(score, 0);
}

TEST(SpotScores, RecordEveryTrueSpot) {
  auto truth = kTruth;
  truth[1].photons = 500;
  const auto records = scored(list_of(truth), list_of(kResults), 0.5).records;
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].result, 0u);
  EXPECT_NEAR(records[0].distance_um, std::sqrt(0.05), 1e-12);
  EXPECT_EQ(records[1].result, std::nullopt);
  EXPECT_EQ(records[1].photons, 500);
  EXPECT_EQ(records[1].depth_um, 1);
  EXPECT_EQ(records[1].neighbour_um, 2);
  EXPECT_EQ(records[2].result, 1u);
  EXPECT_TRUE(std::isinf(records[2].neighbour_um));
}

TEST(SpotScores, CompareErrorsFromTheRenderedLightWithBounds) {
  // The light of the first spot lies 0.1 um higher than the spot, where it was found; the second
  // has no bound, the third was not found
  SpotBound first, none, lost;
  first.sd_um = {0.05, 0.1, 0.1};
  first.light_um = {1.1, 1, 1};
  lost.sd_um = {1, 1, 1};
  lost.light_um = {1, 3, 1};
  const BoundedSpots bounded{{0, 2, 1}, {first, none, lost}};
  const auto all = scored(list_of(kTruth), list_of(kResults), 0.5, 20, bounded);
  const SpotScores& s = all.scores;
  EXPECT_EQ(s.bounded, 1);
  EXPECT_NEAR(s.bound_um[2], 0.1, 1e-12);
  EXPECT_NEAR(s.bounded_rmse_um[2], 0.2, 1e-12);
  EXPECT_NEAR(s.efficiency[2], 0.5, 1e-12);
  EXPECT_NEAR(s.bounded_rmse_um[0], 0, 1e-12);
  EXPECT_NEAR(s.rendering_um[0], 0.1, 1e-12);
  EXPECT_EQ(all.records[1].bound_um[1], 1);
  EXPECT_TRUE(std::isnan(all.records[2].bound_um[1]));
}

TEST(SpotScores, AsJsonHaveNullForWhatIsUnknown) {
  const Json json = json_of(scored(list_of(kTruth), list_of({}), 0.5).scores);
  EXPECT_EQ(text_of(json),
            R"({"truth":3,"results":0,"matched":0,"radius_um":0.5,"precision":0.0,"recall":0.0,)"
            R"("f1":0.0,"jaccard":0.0,"rmse_um":[null,null,null],"rmse_lateral_um":null,)"
            R"("rmse_axial_um":null,"bias_um":[null,null,null],"bias_error_um":[null,null,null],)"
            R"("bounded":0,"bound_um":[null,null,null],"bounded_rmse_um":[null,null,null],)"
            R"("efficiency":[null,null,null],"rendering_um":[null,null,null]})");
}

TEST(EvenlyChosen, AreAllOrSpreadOverTheList) {
  EXPECT_EQ(evenly_chosen(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(evenly_chosen(10, 4), (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_TRUE(evenly_chosen(0, 4).empty());
}

}  // namespace
}  // namespace synthoscope::score
