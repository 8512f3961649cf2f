// SPDX-License-Identifier: MIT
#include "score/strata/strata.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "tests/unit/score/labels/discs.hpp"

namespace synthoscope::score {
namespace {

/// Objects with volumes 1, 2 ... in the given depth; every second one is found.
std::vector<ScoredObject> objects(int count) {
  std::vector<ScoredObject> list;
  for (int i = 1; i <= count; ++i) {
    ScoredObject object;
    object.id = i;
    object.volume = i;
    object.centroid.z_um = 5;
    object.nearest = std::numeric_limits<double>::quiet_NaN();
    object.partner = i % 2;
    object.iou = i % 2 ? 0.75 : 0;
    list.push_back(object);
  }
  return list;
}

const std::vector<ScoredObject> kNone;

TEST(Strata, HoldEveryObjectOnce) {
  const auto strata = strata_of(objects(20), kNone, true, false);
  ASSERT_EQ(strata.size(), 4u) << "depth is the same for all, and neighbours are unknown";
  std::int64_t truth = 0, found = 0;
  for (const Stratum& stratum : strata) {
    EXPECT_EQ(stratum.by, "volume");
    EXPECT_EQ(stratum.unit, "um3");
    EXPECT_EQ(stratum.truth, 5);
    EXPECT_EQ(stratum.mean_iou, 0.75);
    truth += stratum.truth;
    found += stratum.found;
  }
  EXPECT_EQ(truth, 20);
  EXPECT_EQ(found, 10);
  EXPECT_EQ(strata[0].low, 1);
  EXPECT_EQ(strata[3].high, 20);
}

TEST(Strata, OfFewObjectsAreFewOrNone) {
  EXPECT_EQ(strata_of(objects(14), kNone, true, false).size(), 2u);
  EXPECT_TRUE(strata_of(objects(9), kNone, true, false).empty());
}

TEST(Strata, CountFalseResultsOfTheirSize) {
  std::vector<ScoredObject> results = objects(1);
  results[0].partner = 0;
  for (const double volume : {0.1, 3.0, 1000.0}) {
    results[0].volume = volume;
    const auto strata = strata_of(objects(20), results, true, false);
    EXPECT_EQ(strata[volume > 100 ? 3 : 0].false_positives, 1) << volume;
    EXPECT_EQ(strata[volume > 100 ? 0 : 3].false_positives, 0) << volume;
  }
}

TEST(Strata, KnowNoFalseResultsOfASignalToNoiseRatio) {
  std::vector<ScoredObject> truth = objects(10);
  for (ScoredObject& object : truth) object.snr = static_cast<double>(object.id);
  const auto strata = strata_of(truth, objects(3), true, false);
  ASSERT_EQ(strata.back().by, "snr");
  EXPECT_FALSE(strata.back().false_positives);
  EXPECT_FALSE(strata.back().ap());
}

TEST(Strata, TellTheBorderFromTheMiddle) {
  std::vector<ScoredObject> truth = objects(4);
  truth[0].touches_border = true;
  const auto strata = strata_of(truth, kNone, true, false);
  ASSERT_EQ(strata.size(), 2u);
  EXPECT_EQ(strata[0].by, "border");
  EXPECT_EQ(strata[0].truth, 3);
  EXPECT_EQ(strata[1].truth, 1);
  EXPECT_EQ(strata[1].recall(), 1);
}

TEST(Strata, OfPlanesHaveAreasAndNoDepth) {
  std::vector<ScoredObject> truth = objects(10);
  for (ScoredObject& object : truth) object.centroid.z_um = static_cast<double>(object.id);
  for (const Stratum& stratum : strata_of(truth, kNone, false, true)) {
    EXPECT_EQ(stratum.by, "area");
    EXPECT_EQ(stratum.unit, "voxels");
  }
}

TEST(Selection, LeavesOutObjectsAndTheirResults) {
  const auto table = test::overlaps_of(test::discs(), test::faulty_discs());
  Selection selection;
  EXPECT_EQ(selected(table, selection, {}).overlaps.size(), table.overlaps.size());
  selection.min_volume = 70;  // larger than every disc; results of two discs and of none
  const OverlapTable none = selected(table, selection, {});
  EXPECT_TRUE(none.truth.empty());
  EXPECT_TRUE(none.results.empty()) << "results go with the object that they lie on";
  selection.min_volume = 0;
  selection.ignore_border = true;
  const OverlapTable inside = selected(table, selection, {});
  EXPECT_EQ(inside.truth.size(), 15u) << "no disc touches the border";
  EXPECT_EQ(inside.results.size(), table.results.size() - 1) << "the false object touches it";
}

TEST(ScoredObjects, KnowTheirMatchesAndNeighbours) {
  const auto table = test::overlaps_of(test::discs(), test::discs());
  const auto truth = scored_truth(table, 3, VoxelSize{1, 0.5, 0.5});
  ASSERT_EQ(truth.size(), 15u);
  EXPECT_EQ(truth[4].frame, 3);
  EXPECT_EQ(truth[4].partner, truth[4].id);
  EXPECT_EQ(truth[4].iou, 1);
  EXPECT_DOUBLE_EQ(truth[4].nearest, 6) << "12 pixels of half a micrometre";
  EXPECT_DOUBLE_EQ(truth[4].volume, 69 * 0.25);
  EXPECT_DOUBLE_EQ(truth[0].centroid.y_um, 2.75);
}

}  // namespace
}  // namespace synthoscope::score
