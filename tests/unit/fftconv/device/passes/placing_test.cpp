// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include "fftconv/device/passes/tables.hpp"

namespace synthoscope::fftconv::device {
namespace {

std::vector<int> positions_of(const PlanePlacing& placing) {
  std::vector<int> positions;
  for (const PlacedRow& row : placing.rows) positions.push_back(row.position);
  return positions;
}

TEST(Placing, NeedsNoTableWhereVoxelsStandAtTheFront) {
  const RowPlacing row = row_placing({{0, 5, 6, 1, false}}, 8);
  EXPECT_EQ(row.placing, Placing::front);
  EXPECT_EQ(row.begin, 5);
  EXPECT_EQ(row.count, 6);
  EXPECT_TRUE(row.columns.empty());
  EXPECT_EQ(row_placing({{0, 0, 8, 1, false}}, 8).placing, Placing::whole);
}

TEST(Placing, ListsWhatWrapsWithItsSign) {
  // A kernel of five voxels centred on its third: two of them stand at the end, with another sign
  const RowPlacing row = row_placing({{6, 0, 2, 1, true}, {0, 2, 3, 1, false}}, 8);
  EXPECT_EQ(row.placing, Placing::listed);
  EXPECT_EQ(row.columns, (std::vector<int>{3, 4, 5, 0, 0, 0, -1, -2}));
}

TEST(Placing, ListsWhatIsReadBackwardsOrTwice) {
  // Reflected at the front, repeated at the end; source indices count from the first that is read
  const RowPlacing row =
      row_placing({{0, 12, 2, -1, false}, {2, 11, 3, 1, false}, {5, 13, 2, 0, false}}, 8);
  EXPECT_EQ(row.begin, 11);
  EXPECT_EQ(row.count, 3);
  EXPECT_EQ(row.columns, (std::vector<int>{2, 1, 1, 2, 3, 3, 3, 0}));
}

TEST(Placing, TakesColumnsByTheirPositionsAlone) {
  const PlanePlacing all = plane_placing({{0, 3, 4, 1, false}}, 4);
  EXPECT_EQ(all.loaded, Choice::all);
  const PlanePlacing front = plane_placing({{0, 6, 2, -1, false}, {2, 5, 3, 1, false}}, 8);
  EXPECT_EQ(front.loaded, Choice::front) << "rows are brought to their places before";
  EXPECT_EQ(front.begin, 5);
  EXPECT_EQ(front.count, 3);
  EXPECT_EQ(front.rows.front().source, 1);
  const PlanePlacing wrapped = plane_placing({{6, 0, 2, 1, false}, {0, 2, 3, 1, false}}, 8);
  EXPECT_EQ(wrapped.loaded, Choice::listed);
  EXPECT_EQ(positions_of(wrapped), (std::vector<int>{6, 7, 0, 1, 2}));
  EXPECT_EQ(wrapped.slots, (std::vector<int>{0, 1, 2, -1, -1, -1, 6, 7}));
}

}  // namespace
}  // namespace synthoscope::fftconv::device
