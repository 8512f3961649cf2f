// SPDX-License-Identifier: MIT
#include "core/math/elementary.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope {
namespace {

TEST(PortableLog, AgreesWithLongDouble) {
  for (double x = 1e-300; x < 1e300; x *= 1.618) {
    const auto exact = static_cast<double>(std::log(static_cast<long double>(x)));
    EXPECT_NEAR(portable::log(x), exact, 1e-15 * std::abs(exact) + 1e-16) << x;
  }
  EXPECT_EQ(portable::log(1), 0);
}

TEST(PortableExp, AgreesWithLongDouble) {
  for (double x = -690; x < 0; x += 0.0777) {
    const auto exact = static_cast<double>(std::exp(static_cast<long double>(x)));
    EXPECT_NEAR(portable::exp_negative(x) / exact, 1, 6e-16) << x;
  }
  EXPECT_EQ(portable::exp_negative(0), 1);
  EXPECT_EQ(portable::exp_negative(-1000), 0);
}

TEST(PortableCosineAndSine, AgreeWithLongDouble) {
  constexpr long double kTwoPi = 6.283185307179586476925286766559L;
  for (double turns = -7.3; turns < 1000; turns += 0.01371) {
    const auto [cosine, sine] = portable::cosine_and_sine(turns);
    const long double angle = kTwoPi * (turns - std::floor(turns));
    EXPECT_NEAR(cosine, static_cast<double>(std::cos(angle)), 3e-16) << turns;
    EXPECT_NEAR(sine, static_cast<double>(std::sin(angle)), 3e-16) << turns;
  }
}

TEST(PortableCosineAndSine, AreExactAtQuartersOfATurn) {
  for (const double whole_turns : {0.0, -3.0, 12345.0}) {
    EXPECT_EQ(portable::cosine_and_sine(whole_turns).cosine, 1);
    EXPECT_EQ(portable::cosine_and_sine(whole_turns + 0.25).sine, 1);
    EXPECT_EQ(portable::cosine_and_sine(whole_turns + 0.5).cosine, -1);
    EXPECT_EQ(portable::cosine_and_sine(whole_turns + 0.75).cosine, 0);
  }
}

}  // namespace
}  // namespace synthoscope
