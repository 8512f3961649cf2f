// SPDX-License-Identifier: MIT
// Chains of merges are parted into runs along axes, which keep what they look back at.
#include "kernels/device/variance/merge_runs.hpp"
#include <gtest/gtest.h>

namespace synthoscope::kernels::device {
namespace {

std::vector<AxisRun> runs_of(std::vector<LocalWindow> windows) {
  return axis_runs(merge_steps(windows));
}

TEST(AxisRuns, OfABoxAreOneAnAxis) {
  const auto runs = runs_of({{WindowShape::box, 3, 5, 31}});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].axis, Axis::x);
  EXPECT_EQ(runs[0].from, 0);
  EXPECT_EQ(runs[0].merges.merges, 4);
  EXPECT_EQ(runs[1].axis, Axis::y);
  EXPECT_EQ(runs[1].from, runs[0].made);
  EXPECT_EQ(runs[2].axis, Axis::z);
  EXPECT_EQ(runs[2].made, 7);
}

TEST(AxisRuns, EndWhereAWindowDoes) {
  const auto runs = runs_of({{WindowShape::triangle, 1, 1, 2}, {WindowShape::triangle, 1, 1, 4}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].made, 1);
  EXPECT_EQ(runs[1].from, 1);
}

TEST(AxisRuns, OfAGaussianHaveItsWeights) {
  const auto runs = runs_of({{WindowShape::gaussian, 0, 1.5, 2}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].taps.size(), 9U);
  EXPECT_EQ(runs[1].taps.size(), 7U);
  EXPECT_EQ(runs[1].merges.merges, 0);
}

TEST(AxisRuns, ReachAsFarAsTheirWindow) {
  for (int size = 3; size < 700; size += 2)
    for (const WindowShape shape : {WindowShape::box, WindowShape::triangle}) {
      const auto runs = runs_of({{shape, 1, 1, static_cast<double>(size)}});
      if (runs.empty()) continue;  // more merges than a run has
      const MergeRun& run = runs[0].merges;
      const int reach = shape == WindowShape::box ? size / 2 : size - 1;
      EXPECT_EQ(run.reach(), reach) << size;
      // What lies on the other side is kept until it is looked at
      EXPECT_LE(run.voxel_depth(), 2 * reach + 1) << size;
      EXPECT_GT(run.voxel_depth(), reach) << size;
      EXPECT_EQ(run.depth(run.merges), 1) << size;
    }
}

TEST(AxisRuns, KeepOfABoxWhatItsMergesLookBackAt) {
  const MergeRun run = runs_of({{WindowShape::box, 1, 1, 31}})[0].merges;
  // 1 to 3 to 5 to 15, and two of 15 around a voxel
  EXPECT_EQ(run.spacing[3], 8);
  EXPECT_EQ(run.voxel_depth(), 24);
  EXPECT_EQ(run.depth(0), 16);
  EXPECT_EQ(run.depth(2), 11);
  EXPECT_EQ(run.depth(3), 17);
  EXPECT_FALSE(run.is_side(1));
  EXPECT_EQ(run.ring(run.merges, true), 2 + 11 + 17);
}

}  // namespace
}  // namespace synthoscope::kernels::device
