// SPDX-License-Identifier: MIT
#include "tools/options/rows.hpp"
#include <gtest/gtest.h>

namespace synthoscope::tools {
namespace {

TEST(ParseTriple, TakesSizesInTheOrderZYX) {
  EXPECT_EQ(parse_triple("1,20,300", 1), (Extent3{1, 20, 300}));
  for (const char* wrong : {"", "1", "1,2", "1,2,3,4", "1,2,x", "1,2,-3", "1,2,0", "1,,3"})
    EXPECT_THROW(parse_triple(wrong, 1), InvalidSpec) << wrong;
}

TEST(ParseVoxelSize, TakesOneNumberForAllAxesOrThree) {
  EXPECT_EQ(parse_voxel_size("0.1"), (VoxelSize{0.1, 0.1, 0.1}));
  EXPECT_EQ(parse_voxel_size("0.3,0.2,0.1"), (VoxelSize{0.3, 0.2, 0.1}));
  for (const char* wrong : {"", "0", "-1", "0.1,0.2", "0.1,0.2,inf", "a", "1,2,3,4"})
    EXPECT_THROW(parse_voxel_size(wrong), InvalidSpec) << wrong;
}

TEST(ParseOnOff, KnowsNothingElse) {
  EXPECT_TRUE(parse_on_off("on"));
  EXPECT_FALSE(parse_on_off("off"));
  EXPECT_THROW(parse_on_off("yes"), InvalidSpec);
}

TEST(ParseWhole, RefusesWhatDoesNotFit) {
  EXPECT_EQ(parse_whole("9223372036854775807", 0), 9223372036854775807);
  EXPECT_THROW(parse_whole("9223372036854775808", 0), InvalidSpec);
  EXPECT_EQ(parse_whole("+3", 0), 3);
  EXPECT_THROW(parse_whole("3 ", 0), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::tools
