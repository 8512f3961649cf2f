// SPDX-License-Identifier: MIT
#include "core/run/stop.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"

namespace synthoscope {
namespace {

TEST(StopFlag, ThrowsOnceAStopIsRequestedAndEverAfter) {
  StopFlag stop;
  EXPECT_FALSE(stop.requested());
  EXPECT_NO_THROW(stop.check());
  stop.request();
  EXPECT_TRUE(stop.requested());
  for (int i = 0; i < 2; ++i) try {
      stop.check();
      FAIL() << "it went on";
    } catch (const Interrupted& interrupted) {
      EXPECT_STREQ(
          interrupted.what(),
          "the run was stopped before its result was complete: files are as they were before it; "
          "run the command again");
    }
}

TEST(StopFlag, IsSetWhereTheOuterOneIs) {
  StopFlag outer, inner{outer};
  EXPECT_FALSE(inner.requested());
  outer.request();
  EXPECT_TRUE(inner.requested());
  StopFlag other, within{other};
  within.request();
  EXPECT_FALSE(other.requested());
}

}  // namespace
}  // namespace synthoscope
