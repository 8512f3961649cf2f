// SPDX-License-Identifier: MIT
#include "core/stop.hpp"
#include <gtest/gtest.h>
#include "core/error.hpp"

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
      EXPECT_STREQ(interrupted.what(),
                   "the run was asked to stop before its result was whole; run it again");
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

TEST(StopFlag, IsRequestedAtTheLookThatWasAskedFor) {
  for (const std::int64_t look : {0, 1, 5}) {
    StopFlag stop;
    stop.request_at_look(look);
    for (std::int64_t i = 0; i < look; ++i) EXPECT_FALSE(stop.requested());
    EXPECT_TRUE(stop.requested());
    EXPECT_TRUE(stop.requested());
  }
}

TEST(StopScope, LendsTheInnermostFlagToItsThread) {
  EXPECT_NO_THROW(stop_point());
  StopFlag outer, inner;
  outer.request();
  {
    const StopScope a{outer};
    EXPECT_THROW(stop_point(), Interrupted);
    {
      const StopScope b{inner};
      EXPECT_NO_THROW(stop_point());
    }
    {
      const StopScope nobody{nullptr};
      EXPECT_NO_THROW(stop_point());
    }
    EXPECT_THROW(stop_point(), Interrupted);
  }
  EXPECT_NO_THROW(stop_point());
}

TEST(StopMeter, LooksOnceForSoMuchWork) {
  StopFlag stop;
  stop.request_at_look(3);
  const StopScope scope{stop};
  StopMeter meter;
  std::int64_t rounds = 0;
  EXPECT_THROW(for (;; ++rounds) meter.work(StopMeter::kUnits / 8), Interrupted);
  EXPECT_EQ(rounds, 3 * 8);
}

}  // namespace
}  // namespace synthoscope
