// SPDX-License-Identifier: MIT
#include "simulator/truth/objects.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <sstream>
#include "core/stream/memory_stream.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

TEST(CountingSink, CountsVoxelsAndSumsTheirPositions) {
  const Extent3 extent{2, 2, 3};
  Volume<std::uint16_t> labels{extent}, stored{extent};
  labels.voxels = {0, 1, 1, 0, 0, 3, 3, 1, 0, 0, 0, 3};
  MemorySink sink{VoxelView{stored.view()}};
  CountingSink counting{sink, {1, 2, 3}};
  for (std::int64_t z = 0; z < 2; ++z)
    counting.write(plane(extent, z),
                   HostView3<const std::uint16_t>{labels.view().row(z, 0), {1, 2, 3}});
  counting.close();
  EXPECT_EQ(stored.voxels, labels.voxels);
  const auto& counts = counting.counts();
  EXPECT_EQ(counts[0].voxels, 3);
  EXPECT_EQ(counts[0].sum_z, 1);
  EXPECT_EQ(counts[0].sum_y, 0);
  EXPECT_EQ(counts[0].sum_x, 4);
  EXPECT_EQ(counts[1].voxels, 0);
  EXPECT_EQ(counts[2].voxels, 3);
  EXPECT_EQ(counts[2].sum_z, 2);
  EXPECT_EQ(counts[2].sum_y, 2);
  EXPECT_EQ(counts[2].sum_x, 4);
}

TEST(ObjectTable, ListsAnObjectWithoutVoxelWithAnEmptyCountedCentroid) {
  test::TestContext run;
  NucleiSpec spec;
  spec.count = 2;
  spec.radius_um = 1;
  const Grid grid{{20, 20, 20}, {0.5, 0.5, 0.5}};
  const auto phantom = make_phantom({spec}, grid, 1, run.context);
  ObjectTable table{{""}};
  table.add(0, phantom, {{1, 2}, {0, 0}, {1, 2}}, {{0, 0, 0, 0}, {2, 3, 5, 7}});
  const std::string csv = table.csv();
  const auto first = csv.find("\n1,0,nucleus,"), second = csv.find("\n2,0,nucleus,");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_NE(csv.substr(first + 1, second - first).find(",0,,,,0.000000,0,,0,1,,interphase,\n"),
            std::string::npos);
  // Voxel centres lie half a pitch behind their index
  EXPECT_NE(csv.substr(second).find(",2,1.000000,1.500000,2.000000,0.250000,0,,0,1,,interphase,\n"),
            std::string::npos);
}

TEST(ObjectTable, CountsIdsOnFromFrameToFrameAndTracksWhatHasVoxels) {
  test::TestContext run;
  const Grid grid{{20, 20, 20}, {0.5, 0.5, 0.5}};
  NucleiSpec two;
  two.count = 2;
  two.radius_um = 1;
  const auto phantom = make_phantom({two}, grid, 1, run.context);
  ObjectTable table{{""}};
  table.add(0, phantom, {{1, 2}, {0, 0}, {1, 2}}, {{1, 0, 0, 0}, {1, 0, 0, 0}});
  table.add(1, phantom, {{3, 4}, {0, 0}, {3, 4}}, {{0, 0, 0, 0}, {1, 0, 0, 0}});
  EXPECT_NE(table.csv().find("\n3,1,nucleus,"), std::string::npos);
  EXPECT_NE(table.csv().find("\n4,1,nucleus,"), std::string::npos);
  EXPECT_EQ(table.tracks(), "1 0 0 0\n2 0 0 0\n4 1 1 0\n");
  EXPECT_EQ(table.rows(), 4);
  EXPECT_EQ(table.without_voxel(), 1);
}

TEST(ObjectTable, HasAColumnOfSignalToNoiseForEachChannelAndItsMedian) {
  test::TestContext run;
  const Grid grid{{20, 20, 20}, {0.5, 0.5, 0.5}};
  NucleiSpec three;
  three.count = 3;
  three.radius_um = 1;
  const auto phantom = make_phantom({three}, grid, 1, run.context);
  ObjectTable table{{"a", "b"}};
  for (const std::int64_t frame : {0, 1})
    table.add(frame, phantom, {{1, 2, 3}, {0, 0, 0}, {1, 2, 3}}, {{}, {}, {}});
  table.add_snr(0, 0, {3, NAN, 12.34567});
  table.add_snr(1, 0, {1, 2, NAN});
  const std::string csv = table.csv();
  EXPECT_NE(csv.find("touches_border,brightness,nearest_um,phase,snr_a,snr_b\n"),
            std::string::npos);
  std::vector<std::string> ends;
  std::istringstream lines{csv};
  for (std::string line; std::getline(lines, line);)
    ends.push_back(line.substr(line.rfind(',', line.rfind(',') - 1)));
  EXPECT_EQ(ends,
            (std::vector<std::string>{",snr_a,snr_b", ",3,", ",,", ",12.35,", ",1,", ",2,", ",,"}));
  EXPECT_EQ(table.median_snr(0), 2.5);
  EXPECT_EQ(table.median_snr(1), std::nullopt);
}

struct BorderCase {
  Extent3 extent;
  Index3 voxel;
  bool touches;
};

TEST(CountingSink, SaysWhichObjectsTouchTheBorder) {
  constexpr BorderCase kCases[] = {
      {{4, 5, 6}, {1, 2, 2}, false}, {{4, 5, 6}, {2, 3, 4}, false}, {{4, 5, 6}, {0, 2, 2}, true},
      {{4, 5, 6}, {3, 2, 2}, true},  {{4, 5, 6}, {1, 0, 2}, true},  {{4, 5, 6}, {1, 4, 2}, true},
      {{4, 5, 6}, {1, 2, 0}, true},  {{4, 5, 6}, {1, 2, 5}, true},  {{1, 5, 6}, {0, 2, 2}, false},
      {{1, 5, 6}, {0, 2, 5}, true},  // a plane has no border in z
  };
  for (const auto& [extent, voxel, touches] : kCases) {
    Volume<std::uint16_t> labels{extent}, stored{extent};
    labels.view()(voxel.z, voxel.y, voxel.x) = 3;
    MemorySink sink{VoxelView{stored.view()}};
    CountingSink counting{sink, {3, 4}};
    for (std::int64_t z = 0; z < extent.z; ++z)
      counting.write(plane(extent, z), HostView3<const std::uint16_t>{labels.view().row(z, 0),
                                                                      {1, extent.y, extent.x}});
    EXPECT_EQ(counting.counts()[0].touches_border, touches) << fmt::format("{} {}", extent, voxel);
    EXPECT_FALSE(counting.counts()[1].touches_border);
  }
}

TEST(ObjectTable, GivesTheWholeBodyAndThePartInTheGridOfWhatTheBorderCuts) {
  test::TestContext run;
  NucleiSpec spec;
  spec.count = 1;
  spec.radius_um = 3;
  spec.border = BorderRule::cut;
  const Grid grid{{20, 20, 20}, {0.25, 0.25, 0.25}};  // 5 um: smaller than a nucleus
  const auto phantom = make_phantom({spec}, grid, 1, run.context);
  Volume<std::uint16_t> stored{grid.extent};
  MemorySink sink{VoxelView{stored.view()}};
  CountingSink counting{sink, {1}};
  LabelSource labels{phantom, {1}};
  Volume<std::uint16_t> plane_of_labels{{1, 20, 20}};
  for (std::int64_t z = 0; z < 20; ++z) {
    labels.read(plane(grid.extent, z), plane_of_labels.view());
    counting.write(plane(grid.extent, z), std::as_const(plane_of_labels).view());
  }
  ObjectTable table{{""}};
  table.add(0, phantom, {{1}, {0}, {1}}, counting.counts());
  const std::string row = table.csv().substr(table.csv().find('\n') + 1);
  std::vector<std::string> cells;
  std::istringstream stream{row};
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  ASSERT_EQ(cells.size(), 19u) << row;
  const double whole = std::stod(cells[6]), visible = std::stod(cells[11]);
  const auto voxels = std::count(stored.voxels.begin(), stored.voxels.end(), 1);
  EXPECT_NEAR(visible, static_cast<double>(voxels) * 0.015625, 1e-6);
  EXPECT_LT(visible, 0.95 * whole);  // 113 um^3 do not fit into 125 um^3 beside a face
  EXPECT_EQ(cells[14], "1");
}

TEST(CountingSink, CountsLabelsThatGoOnFromEarlierFrames) {
  const Extent3 extent{1, 1, 4};
  Volume<std::uint16_t> labels{extent}, stored{extent};
  labels.voxels = {0, 8, 9, 9};
  MemorySink sink{VoxelView{stored.view()}};
  CountingSink counting{sink, {8, 9}};
  counting.write(plane(extent, 0), HostView3<const std::uint16_t>{labels.view().row(0, 0), extent});
  EXPECT_EQ(counting.counts()[0].voxels, 1);
  EXPECT_EQ(counting.counts()[1].voxels, 2);
  EXPECT_EQ(stored.voxels, labels.voxels);
}

TEST(ObjectTable, HasTheLabelThatARegionHadInItsFile) {
  Phantom phantom;
  phantom.grid = {{20, 20, 20}, {0.5, 0.5, 0.5}};
  phantom.beads.push_back({{1, 1, 1}, 0.5, 100});
  phantom.regions.push_back({nullptr, 1, 4711});
  ObjectTable table{{""}};
  table.add(0, phantom, {{1, 2}, {0, 0}, {1, 2}}, {{0, 0, 0, 0}, {0, 0, 0, 0}});
  EXPECT_EQ(table.csv().substr(0, table.csv().find('\n')).substr(table.csv().find("parent")),
            "parent,file_label,touches_border,brightness,nearest_um,phase,snr");
  EXPECT_NE(table.csv().find(",0,,,,0.000000,0,,0,1,,,\n"), std::string::npos)
      << "the bead has none";
  EXPECT_NE(table.csv().find(",0,,,,0.000000,0,4711,0,1,,,\n"), std::string::npos);
}

}  // namespace
}  // namespace synthoscope::simulator
