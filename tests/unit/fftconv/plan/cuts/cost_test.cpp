// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/cost.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include "fftconv/fft/line_plan.hpp"

namespace synthoscope::fftconv {
namespace {

TEST(CandidateLengths, AreAllProductsOfSmallPrimesWithinTwice) {
  for (std::int64_t least = 1; least <= 2000; ++least) {
    const auto lengths = candidate_lengths(least);
    ASSERT_FALSE(lengths.empty());
    std::int64_t smooth = 0;
    for (std::int64_t n = least; n < 2 * least; ++n)
      smooth += n == 1 || !radices_of(n).empty() ? 1 : 0;
    EXPECT_EQ(static_cast<std::int64_t>(lengths.size()), std::min<std::int64_t>(smooth, 6))
        << least;
    for (const std::int64_t n : lengths) {
      EXPECT_GE(n, least);
      EXPECT_LT(n, std::max<std::int64_t>(2, 2 * least));
      EXPECT_TRUE(n == 1 || !radices_of(n).empty()) << n;
    }
    for (const std::int64_t n : lengths)
      EXPECT_EQ(std::count(lengths.begin(), lengths.end(), n), 1);
  }
}

TEST(CandidateLengths, AreFoundAtOnceForLongLines) {
  // Trying one number after the other would take hours here
  const auto lengths = candidate_lengths(std::int64_t{1} << 50);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), std::int64_t{1} << 50), 1);
}

TEST(LineCost, GrowsWithEveryStage) {
  EXPECT_EQ(line_cost(1), 0);
  for (const std::int64_t n : {2, 3, 4, 5, 7, 8, 60, 512})
    EXPECT_GT(line_cost(3 * n), line_cost(n)) << n;
}

}  // namespace
}  // namespace synthoscope::fftconv
