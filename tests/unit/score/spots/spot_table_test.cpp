// SPDX-License-Identifier: MIT
#include "score/spots/spot_table.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/score/spots/spot_lists.hpp"

namespace synthoscope::score {
namespace {

using test::expect_failure;
using test::space_of_frames;

/// Reads a table that is written for it. The pitch is 0.25, 0.1 and 0.08 um.
SpotList read_text(const std::string& text, const SpotSpace& space,
                   const SpotTableOptions& options = {}) {
  const test::TemporaryFolder folder;
  test::TestContext run;
  SpotList list = read_spots(folder.write("found.csv", text), space, options, run.context);
  list.counted = {};  // the budget ends here
  return list;
}

struct TableCase {
  const char* name;
  const char* text;
  std::int64_t frame;
  AlongZyx at_um;  ///< of the first spot
  SpotTableOptions options = {};
};

SpotTableOptions in_unit(SpotUnit unit) {
  SpotTableOptions options;
  options.unit = unit;
  return options;
}

SpotTableOptions named(const char* z, const char* y, const char* x, SpotUnit unit) {
  SpotTableOptions options = in_unit(unit);
  options.zyx = {z, y, x};
  return options;
}

// Pixel 3 along z, 10 along y, 20 along x: its middle is at 0.875, 1.05 and 1.64 um
const TableCase kTables[] = {
    {"ours",
     "id,cell,frame,z_um,y_um,x_um,radius_um,photons\n7,1,2,0.875,1.05,1.64,0.03,3000\n",
     2,
     {0.875, 1.05, 1.64}},
    {"trackmate",
     "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME,RADIUS\n"
     "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,Radius\n"
     "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,R\n"
     ",,,(quality),(micron),(micron),(micron),(sec),,(micron)\n"
     "ID7,7,0,11.5,1.6,1,0.75,4.0,2,0.25\n",
     2,
     {0.875, 1.05, 1.64}},
    {"trackmate_in_pixels",
     "LABEL,ID,POSITION_X,POSITION_Y,POSITION_Z,FRAME\n,,,,,\n,,,,,\n"
     ",,(pixel),(pixel),(pixel),\nID7,7,20,10,3,2\n",
     2,
     {0.875, 1.05, 1.64}},
    {"thunderstorm",
     "\"id\",\"frame\",\"x [nm]\",\"y [nm]\",\"z [nm]\",\"sigma1 [nm]\",\"intensity [photon]\"\n"
     "7.0,3.0,1640.0,1050.0,875.0,120.5,3000\n",
     2,
     {0.875, 1.05, 1.64}},
    {"napari", "index,axis-0,axis-1,axis-2\n0,3.0,10.0,20.0\n", 0, {0.875, 1.05, 1.64}},
    {"napari_of_a_movie",
     "index,axis-0,axis-1,axis-2,axis-3\n0,2.0,3.0,10.0,20.0\n",
     2,
     {0.875, 1.05, 1.64}},
    {"beads",
     "id,frame,class,centroid_z_um,centroid_y_um,centroid_x_um,volume_um3,snr\n"
     "1,2,nucleus,9,9,9,500,1\n7,2,bead,0.875,1.05,1.64,0.004188790205,12\n",
     2,
     {0.875, 1.05, 1.64}},
    {"plain_nanometres", "frame;x_nm;y_nm;z_nm\n2;1640;1050;875\n", 2, {0.875, 1.05, 1.64}},
    {"plain_with_blanks_and_crlf",
     "\xEF\xBB\xBF Z (um) , Y (um) , X (um) , Frame \r\n0.875 , 1.05 , 1.64 , 2 \r\n\r\n",
     2,
     {0.875, 1.05, 1.64}},
    {"plain_with_a_unit_told",
     "frame\tz\ty\tx\n2\t3\t10\t20\n",
     2,
     {0.875, 1.05, 1.64},
     in_unit(SpotUnit::px)},
    {"columns_told",
     "frame,note,depth,row,column\n2,\"a \"\"b\"\", c\nd\",3,10,20\n",
     2,
     {0.875, 1.05, 1.64},
     named("depth", "row", "column", SpotUnit::px)},
    {"pixels_between_pixels", "frame,z_px,y_px,x_px\n2,-0.5,0,0.5\n", 2, {0, 0.05, 0.08}},
};

class SpotTables : public testing::TestWithParam<TableCase> {};

TEST_P(SpotTables, GiveMicrometresFromTheCorner) {
  const TableCase& c = GetParam();
  const std::int64_t frames = c.frame == 0 ? 1 : 5;
  const SpotList list = read_text(c.text, space_of_frames(frames), c.options);
  ASSERT_EQ(list.spots.size(), 1u);
  const Spot& spot = list.spots.front();
  EXPECT_EQ(spot.frame, c.frame);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(spot.at_um[axis], c.at_um[axis], 1e-12) << axis;
}

INSTANTIATE_TEST_SUITE_P(Formats, SpotTables, testing::ValuesIn(kTables), test::kCaseName);

TEST(SpotTable, KeepsIdsRadiiAndPhotons) {
  const auto list = read_text(kTables[0].text, space_of_frames(5));
  EXPECT_EQ(list.spots[0].id, 7);
  EXPECT_EQ(list.spots[0].radius_um, 0.03);
  EXPECT_EQ(list.spots[0].photons, 3000);
  const auto found = read_text("z_um,y_um,x_um\n1,2,3\n4,5,6\n", space_of_frames(1));
  EXPECT_EQ(found.spots[1].id, 2);
  EXPECT_TRUE(std::isnan(found.spots[1].photons));
}

TEST(SpotTable, GivesBeadsTheRadiusOfTheirVolume) {
  const auto list = read_text(kTables[6].text, space_of_frames(5));
  EXPECT_NEAR(list.spots[0].radius_um, 0.1, 1e-9);
}

TEST(SpotTable, CountsFromTheMiddleOfTheFirstVoxelIfTold) {
  SpotTableOptions options;
  options.origin = SpotOrigin::middle;
  const auto list = read_text("z_um,y_um,x_um\n0.75,1,1.6\n", space_of_frames(1), options);
  EXPECT_NEAR(list.spots[0].at_um[0], 0.875, 1e-12);
  EXPECT_NEAR(list.spots[0].at_um[2], 1.64, 1e-12);
}

TEST(SpotTable, OfAPlaneNeedsNoZ) {
  const auto list = read_text("x [px],y [px]\n20,10\n", space_of_frames(1, 1));
  EXPECT_FALSE(list.has_z);
  EXPECT_NEAR(list.spots[0].at_um[1], 1.05, 1e-12);
}

TEST(SpotTable, OfNapariHasFramesInFrontOfPlanes) {
  const auto list = read_text("index,axis-0,axis-1,axis-2\n0,2,10,20\n", space_of_frames(5, 1));
  EXPECT_EQ(list.spots[0].frame, 2);
  EXPECT_FALSE(list.has_z);
}

TEST(SpotTable, OfTrackMateWithoutAnyZHasNone) {
  const auto list = read_text(
      "LABEL,POSITION_X,POSITION_Y,POSITION_Z,FRAME\n,(um),(um),(um),\nID1,1,1,0,0\nID2,2,2,0,0\n",
      space_of_frames(1));
  EXPECT_FALSE(list.has_z);
  expect_failure<InvalidInput>([&] { require_z(list, space_of_frames(1)); },
                               {"found.csv", "no z", "20 planes"});
}

TEST(SpotTable, OfManyRowsIsReadInBlocks) {
  std::string text = "z_um,y_um,x_um\n";
  constexpr int kRows = 100000;  // 2.5 blocks
  for (int i = 0; i < kRows; ++i) text += "1.000000,2.0000000," + std::to_string(i) + "\n";
  const auto list = read_text(text, space_of_frames(1));
  ASSERT_EQ(list.spots.size(), std::size_t{kRows});
  double sum = 0;
  for (const Spot& spot : list.spots) sum += spot.at_um[2];
  EXPECT_EQ(sum, 0.5 * kRows * (kRows - 1));
}

struct BrokenCase {
  const char* name;
  const char* text;
  std::initializer_list<const char*> words;
};

const BrokenCase kBroken[] = {
    {"no_number", "z_um,y_um,x_um\n1,2,3\n1,two,3\n", {"line 3", "column y_um", "\"two\""}},
    {"nothing", "z_um,y_um,x_um\n1,,3\n", {"line 2", "column y_um", "\"\""}},
    {"nan", "z_um,y_um,x_um\n1,2,nan\n", {"line 2", "column x_um", "nan", "finite"}},
    {"half_a_frame", "frame,z_um,y_um,x_um\n0.5,1,2,3\n", {"line 2", "column frame", "0.5"}},
    {"half_an_id", "id,z_um,y_um,x_um\n1.5,1,2,3\n", {"line 2", "column id", "1.5", "whole"}},
    {"a_late_frame", "frame,z_um,y_um,x_um\n0,1,2,3\n1,1,2,3\n", {"line 3", "frame", "0 to 0"}},
    {"a_frame_below_one", "frame,\"x [nm]\",\"y [nm]\"\n0,1,2\n", {"line 2", "1 to 1"}},
    {"a_short_row", "z_um,y_um,x_um\n1,2\n", {"line 2", "2 cells", "x_um", "number 3"}},
    {"no_unit", "z,y,x\n1,2,3\n", {"unit", "column z", "px, um or nm"}},
    {"no_unit_of_trackmate", "POSITION_X,POSITION_Y,FRAME\n1,2,0\n", {"unit", "POSITION_Y"}},
    {"no_positions", "a,b,c\n1,2,3\n", {"a, b, c", "name the columns"}},
    {"no_text", "", {"empty"}},
    {"an_open_quote", "z_um,y_um,x_um\n1,2,\"3\n", {"line 2", "quote"}},
    {"five_axes", "axis-0,axis-1,axis-2,axis-3,axis-4\n0,0,0,0,0\n", {"5 axes"}},
};

class BrokenTables : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenTables, AreRefusedWithTheirPlace) {
  const BrokenCase& c = GetParam();
  expect_failure<InvalidInput>([&] { read_text(c.text, space_of_frames(1)); }, c.words);
  expect_failure<InvalidInput>([&] { read_text(c.text, space_of_frames(1)); }, {"found.csv"});
}

INSTANTIATE_TEST_SUITE_P(Cases, BrokenTables, testing::ValuesIn(kBroken), test::kCaseName);

TEST(SpotTable, WithoutFramesIsRefusedForSeveralFrames) {
  expect_failure<InvalidInput>([&] { read_text("z_um,y_um,x_um\n1,2,3\n", space_of_frames(3)); },
                               {"no column of frames", "0 to 2"});
}

TEST(SpotTable, NamesColumnsThatWereMeant) {
  expect_failure<InvalidSpec>(
      [&] {
        read_text("depth,row,column\n1,2,3\n", space_of_frames(1),
                  named("depth", "row", "colum", SpotUnit::px));
      },
      {"no column colum", "give column"});
}

TEST(SpotTable, IsCountedBeforeItIsHeld) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("found.csv", "z_um,y_um,x_um\n1,2,3\n");
  test::TestContext run{2, 10000};
  expect_failure<PlanError>([&] { read_spots(file, space_of_frames(1), {}, run.context); },
                            {"spots of a table"});
}

}  // namespace
}  // namespace synthoscope::score
