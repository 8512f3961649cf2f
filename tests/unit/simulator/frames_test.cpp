// SPDX-License-Identifier: MIT
#include "simulator/frames.hpp"
#include <gtest/gtest.h>
#include <set>
#include "core/memory_stream.hpp"

namespace synthoscope::simulator {
namespace {

TEST(FrameSeed, IsTheScenesInFrameZeroAndAnotherSeedInEveryOtherFrame) {
  std::set<std::uint64_t> seen;
  for (std::int64_t frame = 0; frame < 1000; ++frame) {
    const std::uint64_t seed = frame_seed(7, frame);
    EXPECT_LT(seed, std::uint64_t{1} << 53);
    EXPECT_TRUE(seen.insert(seed).second) << frame;
  }
  EXPECT_EQ(frame_seed(7, 0), 7u);
}

TEST(FrameSeed, KeepsItsPromisedDraws) {
  // From a Philox of its own, in Python
  EXPECT_EQ(frame_seed(7, 1), 2879671164366490u);
  EXPECT_EQ(frame_seed(8, 9999), 6038557843607979u);
}

TEST(NumberedLabels, CountOnFromTheFramesBeforeAndLeaveTheBackgroundAlone) {
  Volume<std::uint16_t> labels{{2, 1, 3}}, read{{2, 1, 3}};
  labels.voxels = {0, 1, 2, 3, 0, 1};
  MemorySource source{labels.view()};
  NumberedLabels numbered{source, 65000};
  numbered.read(whole(labels.extent), VoxelView{read.view()});
  EXPECT_EQ(read.voxels, (std::vector<std::uint16_t>{0, 65001, 65002, 65003, 0, 65001}));
}

}  // namespace
}  // namespace synthoscope::simulator
