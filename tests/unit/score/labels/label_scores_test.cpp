// SPDX-License-Identifier: MIT
#include "score/labels/label_scores.hpp"
#include <gtest/gtest.h>
#include "score/labels/partition.hpp"
#include "tests/unit/score/labels/discs.hpp"

namespace synthoscope::score {
namespace {

LabelScores scores_of(const std::vector<OverlapTable>& tables) {
  LabelScorer scorer;
  for (const OverlapTable& table : tables) scorer.add(table, table);
  return scorer.scores();
}

template <class A, class B>
LabelScores scores_of(const Volume<A>& truth, const Volume<B>& result) {
  LabelScorer scorer;
  const OverlapTable table = test::overlaps_of(truth, result);
  scorer.add(table, table);
  return scorer.scores();
}

constexpr double kExact = 1e-12;

// stardist 0.9.2, matching()
TEST(LabelScores, CountAsStarDistDoes) {
  const LabelScores scores = scores_of(test::discs(), test::faulty_discs());
  struct {
    double threshold;
    std::int64_t tp, fp, fn;
  } const expected[] = {{0.1, 13, 2, 2},  {0.3, 13, 2, 2},   {0.5, 11, 4, 4},
                        {0.6, 3, 12, 12}, {0.75, 0, 15, 15}, {0.9, 0, 15, 15}};
  for (const auto& one : expected) {
    const ThresholdScores& at = scores.at(one.threshold);
    EXPECT_NEAR(at.threshold, one.threshold, kExact);
    EXPECT_EQ(at.tp, one.tp) << one.threshold;
    EXPECT_EQ(at.fp, one.fp) << one.threshold;
    EXPECT_EQ(at.fn, one.fn) << one.threshold;
  }
  EXPECT_NEAR(scores.mean_ap, 0.126900584795322, kExact);
  EXPECT_NEAR(*scores.at(0.5).mean_iou(), 0.595955348268216, kExact);
  EXPECT_NEAR(scores.pq, 0.437033922063359, kExact);
  EXPECT_NEAR(scores.pq, *scores.panoptic.mean_iou() * scores.panoptic.f1(), kExact);
  EXPECT_NEAR(scores.seg, 0.480623665653102, kExact);
}

// scikit-image 0.26.0, variation_of_information() and adapted_rand_error()
TEST(LabelScores, ComparePartitionsAsScikitImageDoes) {
  const LabelScores scores = scores_of(test::discs(), test::faulty_discs());
  EXPECT_NEAR(scores.vi_split, 1.25108289284307, kExact);
  EXPECT_NEAR(scores.vi_merge, 1.42010699299816, kExact);
  EXPECT_NEAR(scores.vi_split_foreground, 0.821014627449795, kExact);
  EXPECT_NEAR(scores.vi_merge_foreground, 1.25842954346387, kExact);
  EXPECT_NEAR(scores.adapted_rand_error, 0.591843641594044, kExact);
  EXPECT_NEAR(scores.adapted_rand_error_all, 0.431851224809678, kExact);
  EXPECT_NEAR(scores.dice, 0.711864406779661, kExact);
}

TEST(LabelScores, FindSplitsAndMerges) {
  const LabelScores scores = scores_of(test::discs(), test::faulty_discs());
  EXPECT_EQ(scores.splits, 1);
  EXPECT_EQ(scores.merges, 1);
}

TEST(LabelScores, OfTheTruthItselfAreTheBest) {
  const LabelScores scores = scores_of(test::discs(), test::discs());
  for (const ThresholdScores& at : scores.thresholds) {
    EXPECT_EQ(at.ap(), 1);
    EXPECT_EQ(at.mean_iou(), 1);
  }
  EXPECT_EQ(scores.thresholds.size(), 18u);
  EXPECT_EQ(scores.mean_ap, 1);
  EXPECT_EQ(scores.pq, 1);
  EXPECT_EQ(scores.seg, 1);
  EXPECT_EQ(scores.dice, 1);
  EXPECT_EQ(scores.vi_split + scores.vi_merge, 0);
  EXPECT_EQ(scores.adapted_rand_error, 0);
}

TEST(LabelScores, AreSymmetricWhereTheMeasureIs) {
  const LabelScores forth = scores_of(test::discs(), test::faulty_discs());
  const LabelScores back = scores_of(test::faulty_discs(), test::discs());
  EXPECT_DOUBLE_EQ(forth.mean_ap, back.mean_ap);
  EXPECT_DOUBLE_EQ(forth.pq, back.pq);
  EXPECT_DOUBLE_EQ(forth.dice, back.dice);
  EXPECT_DOUBLE_EQ(forth.vi_split, back.vi_merge);
  EXPECT_DOUBLE_EQ(forth.vi_merge, back.vi_split);
  EXPECT_DOUBLE_EQ(forth.adapted_rand_error_all, back.adapted_rand_error_all);
  EXPECT_EQ(forth.splits, back.merges);
}

TEST(LabelScores, OfNothingAreOneAndOfOneEmptySideZero) {
  const Volume<std::uint16_t> empty{Extent3{1, 36, 60}};
  const LabelScores nothing = scores_of(empty, empty);
  EXPECT_EQ(nothing.mean_ap, 1);
  EXPECT_EQ(nothing.pq, 1);
  EXPECT_EQ(nothing.seg, 1);
  EXPECT_EQ(nothing.dice, 1);
  for (const LabelScores& one :
       {scores_of(test::discs(), empty), scores_of(empty, test::discs())}) {
    const ThresholdScores& half = one.at(0.5);
    EXPECT_EQ(half.precision() + half.recall() + half.f1() + half.ap(), 0);
    EXPECT_EQ(half.mean_iou(), 0);
    EXPECT_EQ(one.pq + one.seg + one.dice, 0);
  }
}

TEST(LabelScores, WithoutAMatchHaveNoMeanOverMatches) {
  const auto left = test::made_labels<std::uint16_t>(
      {1, 1, 8}, [](std::int64_t, std::int64_t, std::int64_t x) { return x < 4 ? 1 : 0; });
  const auto right = test::made_labels<std::uint16_t>(
      {1, 1, 8}, [](std::int64_t, std::int64_t, std::int64_t x) { return x < 4 ? 0 : 1; });
  EXPECT_FALSE(scores_of(left, right).at(0.5).mean_iou());
}

TEST(LabelScores, OfSeveralImagesCountObjectsTogetherAndAverageVoxels) {
  std::vector<OverlapTable> tables;
  tables.push_back(test::overlaps_of(test::discs(), test::faulty_discs()));
  tables.push_back(test::overlaps_of(test::discs(), test::discs()));
  const LabelScores scores = scores_of(tables);
  EXPECT_EQ(scores.images, 2);
  EXPECT_EQ(scores.truth, 30);
  EXPECT_EQ(scores.at(0.5).tp, 11 + 15);
  EXPECT_NEAR(scores.seg, (0.480623665653102 + 1) / 2, kExact);
  EXPECT_NEAR(scores.vi_split, 1.25108289284307 / 2, kExact);
}

}  // namespace
}  // namespace synthoscope::score
