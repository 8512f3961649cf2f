// SPDX-License-Identifier: MIT
#include "core/math/wilson_interval.hpp"
#include <gtest/gtest.h>

namespace synthoscope {
namespace {

TEST(WilsonInterval, IsThatOfThePaper) {
  // The formula in Python
  EXPECT_NEAR(wilson_interval(7, 10).low, 0.396778147, 1e-9);
  EXPECT_NEAR(wilson_interval(7, 10).high, 0.892208733, 1e-9);
  EXPECT_NEAR(wilson_interval(5, 5).low, 0.565517535, 1e-9);
}

TEST(WilsonInterval, StaysBetweenZeroAndOne) {
  EXPECT_EQ(wilson_interval(5, 5).high, 1);
  EXPECT_EQ(wilson_interval(0, 5).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

}  // namespace
}  // namespace synthoscope
