// SPDX-License-Identifier: MIT
#include "core/vector/vector_level.hpp"
#include <gtest/gtest.h>
#include <vector>

namespace synthoscope {
namespace {

TEST(VectorLevel, GivesTheSameBitsWhicheverIsTaken) {
  std::vector<float> in(1000), expected(990), got(990);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.0F / static_cast<float>(i + 3);
  const auto sum_at = [&](VectorLevel level, float* to) {
    vectorised(level, [&in, to]() SYNTHOSCOPE_INLINE {
      const float* from = in.data();
      for (int x = 0; x < 990; ++x) to[x] = from[x] * 0.3F + from[x + 5] * 0.7F;
    });
  };
  sum_at(VectorLevel::baseline, expected.data());
  for (int level = 0; level <= static_cast<int>(vector_level()); ++level) {
    sum_at(static_cast<VectorLevel>(level), got.data());
    EXPECT_EQ(expected, got) << name_of(static_cast<VectorLevel>(level));
  }
}

TEST(VectorLevel, GoesThroughTheLevelsOfThisProcessorFromTheBest) {
  std::vector<VectorLevel> seen;
  for_supported_levels([&](auto at) { seen.push_back(at.value); });
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(vector_level()) + 1);
  for (std::size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(seen[i]), seen.size() - 1 - i) << name_of(seen[i]);
}

TEST(VectorLevel, HasRegistersTwiceAsLongAsTheLevelBelow) {
  EXPECT_EQ(register_bytes(VectorLevel::baseline), 16);
  EXPECT_EQ(register_bytes(VectorLevel::avx2), 32);
  EXPECT_EQ(register_bytes(VectorLevel::avx512), 64);
}

}  // namespace
}  // namespace synthoscope
