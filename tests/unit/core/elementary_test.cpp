// SPDX-License-Identifier: MIT
#include "core/elementary.hpp"
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

}  // namespace
}  // namespace synthoscope
