// SPDX-License-Identifier: MIT
#include "fftconv/fft/line_plan.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::fftconv {
namespace {

struct RadixCase {
  const char* name;
  std::int64_t length;
  std::vector<int> radices;
};

const RadixCase kRadixCases[] = {
    {"one_needs_none", 1, {}},
    {"two", 2, {2}},
    {"four", 4, {4}},
    {"eight", 8, {8}},
    {"sixteen_as_fours", 16, {4, 4}},
    {"thirty_two", 32, {8, 4}},
    {"a_power_of_two_avoids_a_last_two", 128, {8, 4, 4}},
    {"odd_radices_first", 840, {7, 5, 3, 8}},
    {"repeated", 7 * 7 * 3 * 3, {7, 7, 3, 3}},
    {"eleven_has_none", 11, {}},
    {"two_times_eleven_has_none", 22, {}},
    {"large_prime_has_none", 1000003, {}},
    {"zero_has_none", 0, {}},
    {"negative_has_none", -8, {}},
};

class Radices : public testing::TestWithParam<RadixCase> {};

TEST_P(Radices, FollowTheStageOrder) {
  EXPECT_EQ(radices_of(GetParam().length), GetParam().radices);
}

INSTANTIATE_TEST_SUITE_P(Table, Radices, testing::ValuesIn(kRadixCases), test::kCaseName);

TEST(LinePlan, HasStagesWhoseBlocksShrinkByTheirRadixDownToOne) {
  for (std::int64_t length = 1; length <= 3000; ++length) {
    const auto radices = radices_of(length);
    if (radices.empty() && length > 1) continue;
    const auto plan = plan_line<double>(length);
    ASSERT_EQ(plan.stages.size(), radices.size());
    std::int64_t block = length, twiddles = 0;
    for (const LineStage& stage : plan.stages) {
      EXPECT_EQ(stage.block, block);
      EXPECT_EQ(stage.twiddles, twiddles);
      twiddles += 2 * (block / stage.radix) * (stage.radix - 1);
      block /= stage.radix;
    }
    EXPECT_EQ(block, 1);
    EXPECT_EQ(static_cast<std::int64_t>(plan.twiddles.size()), twiddles);
  }
}

TEST(LinePlan, HoldsRootsOfUnityRoundedToTheNearestNumber) {
  const auto plan = plan_line<float>(60);
  for (const LineStage& stage : plan.stages)
    for (std::int64_t p = 0; p < stage.block / stage.radix; ++p)
      for (int k = 1; k < stage.radix; ++k) {
        const auto at =
            static_cast<std::size_t>(stage.twiddles + 2 * (p * (stage.radix - 1) + k - 1));
        const double angle =
            -2 * std::numbers::pi * static_cast<double>(p * k) / static_cast<double>(stage.block);
        EXPECT_NEAR(plan.twiddles[at], std::cos(angle), 0x1p-24);
        EXPECT_NEAR(plan.twiddles[at + 1], std::sin(angle), 0x1p-24);
      }
}

TEST(LinePlan, RefusesLengthsWithLargerPrimes) {
  for (const std::int64_t length : {0, -4, 11, 26, 1000003}) try {
      (void)plan_line<float>(length);
      FAIL() << length;
    } catch (const InvalidSpec& failure) {
      EXPECT_EQ(std::string{failure.what()},
                "plan a transform: length " + std::to_string(length) +
                    " is not a product of 2, 3, 5 and 7; use one that is");
    }
}

TEST(HalfShift, TurnsByAQuarterTurnOverTheHalf) {
  const auto table = half_shift_twiddles<double>(6);
  ASSERT_EQ(table.size(), 12u);
  for (std::size_t m = 0; m < 6; ++m) {
    const double angle = -std::numbers::pi * static_cast<double>(m) / 12;
    EXPECT_NEAR(table[2 * m], std::cos(angle), 2e-16);
    EXPECT_NEAR(table[2 * m + 1], std::sin(angle), 2e-16);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
