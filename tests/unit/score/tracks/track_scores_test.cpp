// SPDX-License-Identifier: MIT
#include "score/tracks/track_scores.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/score/tracks/drawn_movie.hpp"

namespace synthoscope::score {
namespace {

using test::DrawnMovie;
using test::expect_failure;
using test::scores_of;

/// A mother of two, whose second daughter is first seen after a gap and divides in the last frame,
/// and an object that returns as another track, with and without a parent.
const DrawnMovie kFamily = {{{1, 0, 1, 0},
                             {2, 2, 4, 1},
                             {3, 3, 3, 1},
                             {4, 0, 0, 0},
                             {5, 2, 2, 4},
                             {6, 4, 4, 0},
                             {7, 4, 4, 3},
                             {8, 4, 4, 3}},
                            {{1, 0, 1, 0},
                             {2, 2, 4, 1},
                             {3, 3, 3, 1},
                             {4, 0, 0, 0},
                             {5, 2, 2, 4},
                             {6, 4, 4, 0},
                             {7, 4, 4, 3},
                             {8, 4, 4, 3}},
                            {{"1111....44", "1111....44"},
                             {"1111......", "1111......"},
                             {"2222....55", "2222....55"},
                             {"22223333..", "22223333.."},
                             {"2222778866", "2222778866"}}};

TEST(TrackScores, AreOneForTheTruthItself) {
  const TrackScores scores = scores_of(kFamily);
  EXPECT_EQ(scores.errors, GraphErrors{});
  for (const double score : {scores.det, scores.seg, scores.tra, scores.lnk.value(), scores.ct,
                             scores.tf, scores.hota, scores.chota})
    EXPECT_EQ(score, 1.0);
  for (const std::optional<double>& bc : scores.bc) EXPECT_EQ(bc, 1.0);
  EXPECT_EQ(scores.truth_objects, 11);
  EXPECT_EQ(scores.truth_links, 8);
  EXPECT_EQ(scores.truth_divisions, 2);
}

TEST(TrackScores, DoNotDependOnIds) {
  DrawnMovie movie = kFamily;
  movie.results[4].parent = 0;  // so that something is wrong
  const std::string expected = text_of(json_of(scores_of(movie)));
  const auto rising = [](std::int64_t id) { return 65535 + 977 * id; };
  const auto falling = [](std::int64_t id) { return 5'000'000'000 - 977 * id; };
  const auto expect_same = [&](auto&& id_of) {
    DrawnMovie renamed = movie;
    for (TrackLine& line : renamed.results) {
      line.id = id_of(line.id);
      if (line.parent != 0) line.parent = id_of(line.parent);
    }
    EXPECT_EQ(text_of(json_of(scores_of(renamed, id_of))), expected);
  };
  expect_same(rising);
  expect_same(falling);
}

TEST(TrackScores, AreThoseOfTwoTracksWhereAnIdIsUsedAgain) {
  DrawnMovie movie = {
      {{1, 0, 1, 0}, {2, 2, 3, 0}, {3, 0, 3, 0}},
      {{1, 0, 1, 0}, {2, 2, 2, 0}, {4, 3, 3, 2}, {3, 0, 3, 0}},
      {{"11.33", "11.33"}, {"11.33", "11.33"}, {"22.33", "22.33"}, {"22.33", "44.33"}}};
  const std::string expected = text_of(json_of(scores_of(movie)));
  movie.results = {{1, 0, 1, 0}, {1, 2, 2, 0}, {1, 3, 3, 1}, {3, 0, 3, 0}};
  movie.frames = {{"11.33", "11.33"}, {"11.33", "11.33"}, {"22.33", "11.33"}, {"22.33", "11.33"}};
  EXPECT_EQ(text_of(json_of(scores_of(movie))), expected);
}

TEST(TrackScores, KnowEmptyMovies) {
  const std::vector<TrackLine> tracks = {{1, 0, 1, 0}}, none;
  struct Case {
    const char* name;
    DrawnMovie movie;
    double score;
    std::optional<double> lnk;
  } const cases[] = {
      {"both", {none, none, {{"...", "..."}, {"...", "..."}}}, 1, std::nullopt},
      {"no frames", {none, none, {}}, 1, std::nullopt},
      {"results", {tracks, none, {{"111", "..."}, {"111", "..."}}}, 0, 0.0},
      {"truth", {none, tracks, {{"...", "111"}, {"...", "111"}}}, 0, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const TrackScores scores = scores_of(c.movie);
    for (const double score :
         {scores.det, scores.seg, scores.tra, scores.ct, scores.tf, scores.hota, scores.chota})
      EXPECT_EQ(score, c.score);
    EXPECT_EQ(scores.lnk, c.lnk);
    EXPECT_EQ(scores.bc[0], std::nullopt);
  }
}

TEST(TrackScores, HaveErrorsInTheFramesWhereTheyAre) {
  const TrackScores scores = scores_of(
      {{{1, 0, 3, 0}, {2, 0, 3, 0}},
       {{1, 0, 0, 0}, {5, 1, 3, 1}, {2, 0, 1, 0}, {6, 3, 3, 2}, {7, 2, 2, 0}},
       {{"111222...", "111222..."},     // all found
        {"111222...", "555222..."},     // 5 is a child of 1, where the truth has one track
        {"111222...", "555...777"},     // 2 is missed, 7 is made up
        {"111222...", "555666..."}}});  // 6 continues 2 over two frames, which the truth does not
  const std::vector<GraphErrors> expected = {
      {}, {.ec = 1}, {.fn = 1, .fp = 1, .ea = 1}, {.ed = 1, .ea = 1}};
  EXPECT_EQ(scores.by_frame, expected);
  EXPECT_EQ(scores.errors, (GraphErrors{.fn = 1, .fp = 1, .ed = 1, .ea = 2, .ec = 1}));
  EXPECT_EQ(scores.errors.of_vertices(), 11.0);
  EXPECT_EQ(scores.errors.of_edges(), 5.0);
}

// The child is found two frames late, so that the result's link over the gap is none of the truth.
TEST(TrackScores, CompareLinksByBothOfTheirFrames) {
  const TrackScores scores = scores_of({{{1, 0, 0, 0}, {2, 1, 3, 1}},
                                        {{1, 0, 0, 0}, {2, 3, 3, 1}},
                                        {{"11", "11"}, {"22", ".."}, {"22", ".."}, {"22", "22"}}});
  EXPECT_EQ(scores.errors, (GraphErrors{.fn = 2, .ed = 1, .ea = 3}));
}

// The label that one object had at first goes to another. py-ctcmetrics 1.3.3 gives 1: it drops
// the second object, since the result track follows another one to its end.
TEST(TrackScores, CountTheFractionOfEveryTrackThatIsFollowed) {
  const TrackScores scores =
      scores_of({{{1, 0, 1, 0}, {2, 0, 3, 0}},
                 {{1, 0, 3, 0}},
                 {{"11.22", "11..."}, {"11.22", "11..."}, {"...22", "...11"}, {"...22", "...11"}}});
  EXPECT_EQ(scores.tf, 0.75);
}

// Two frames of one object, matched: each match associates 1 of the 2 frames of its true track with
// the only frame of its result track, and the family is the track.
TEST(TrackScores, AssociateWhatBelongsTogether) {
  const TrackScores scores =
      scores_of({{{1, 0, 1, 0}}, {{1, 0, 0, 0}, {2, 1, 1, 0}}, {{"11", "11"}, {"11", "22"}}});
  EXPECT_DOUBLE_EQ(scores.hota, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(scores.chota, std::sqrt(0.5));
}

// Markers of tracks are smaller than the objects, and one frame is segmented, under other labels.
TEST(TrackScores, TakeSegFromSegmentationsIfThereAreAny) {
  MemoryBudget memory{std::int64_t{1} << 20};
  const TrackTable tracks = track_table("tracks.txt", {{1, 0, 1, 0}, {2, 0, 1, 0}});
  TrackScorer scorer{tracks, tracks, 2, memory};
  const auto same = [](std::int64_t id) { return id; };
  scorer.add(test::table_of({".1...2..", "111..222"}, same));
  scorer.add(test::table_of({".1...2..", "111..222"}, same));
  EXPECT_DOUBLE_EQ(scorer.finish().seg, 1.0 / 3);
  scorer.add_segmentation(test::table_of({"7777.888", "111..222"}, same));
  EXPECT_DOUBLE_EQ(scorer.finish().seg, (0.75 + 1) / 2);
  EXPECT_EQ(scorer.finish().tra, 1.0);
}

TEST(TrackScores, RefuseMasksThatAreNotThoseOfTheTracks) {
  const std::vector<TrackLine> tracks = {{1, 0, 2, 0}, {4, 0, 2, 0}};
  expect_failure<InvalidInput>(
      [&] {
        scores_of({tracks, tracks, {{"1144", "1144"}, {"1144", "11.."}, {"1144", "1144"}}});
      },
      {"result.txt", "track 4", "from frame 0 to 2", "frame 1", "parent"});
  expect_failure<InvalidInput>(
      [&] {
        scores_of({tracks, tracks, {{"11441", "11441"}, {"44441", "11443"}}});
      },
      {"truth.txt", "track 1", "2 frames"});
  expect_failure<InvalidInput>(
      [&] {
        scores_of({tracks, tracks, {{"11441", "11441"}, {"44441", "11443"}, {"1144", "1144"}}});
      },
      {"result.txt", "1 voxels", "frame 1", "label 3"});
  expect_failure<InvalidInput>(
      [&] {
        scores_of({tracks, tracks, {{"11449", "11441"}, {"44441", "11441"}, {"1144", "1144"}}});
      },
      {"truth.txt", "frame 0", "label 9"});
}

TEST(TrackScores, CountTheirMemoryBeforeTheyUseIt) {
  MemoryBudget memory{std::int64_t{1} << 20};
  const TrackTable truth = track_table("truth.txt", {{1, 0, 2'000'000, 0}});
  expect_failure<PlanError>([&] { TrackScorer(truth, truth, 2'000'001, memory); },
                            {"matches of tracks"});
}

TEST(TrackScores, AreJsonWithNullForWhatIsUndefined) {
  const Json json =
      json_of(scores_of({{{1, 0, 1, 0}}, {{1, 0, 0, 0}}, {{"11", "11"}, {"11", ".."}}}));
  EXPECT_EQ(json["det"], 0.5);
  EXPECT_EQ(json["lnk"], 0.0);
  EXPECT_EQ(json["bc"], Json::parse("[null, null, null, null]"));
  EXPECT_EQ(json["aogm"], Json::parse(R"({"total": 11.5, "vertices": 10.0, "edges": 1.5,
      "ns": 0, "fn": 1, "fp": 0, "ed": 0, "ea": 1, "ec": 0})"));
  EXPECT_EQ(json["by_frame"]["fn"], Json::parse("[0, 1]"));
  EXPECT_EQ(json["truth"]["objects"], 2);
  EXPECT_EQ(json["results"]["links"], 0);
}

}  // namespace
}  // namespace synthoscope::score
