// SPDX-License-Identifier: MIT
#include "simulator/base/frames.hpp"
#include <gtest/gtest.h>
#include <set>
#include "core/stream/memory_stream.hpp"

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

}  // namespace
}  // namespace synthoscope::simulator
