// SPDX-License-Identifier: MIT
#include "studio/server/token.hpp"
#include <gtest/gtest.h>
#include <set>

namespace synthoscope::studio {
namespace {

TEST(Token, HasTwoDigitsForEachByteAndIsNeverTheSame) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    const std::string token = random_token(16);
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100u);
}

TEST(Token, EqualsOnlyItself) {
  EXPECT_TRUE(equal_tokens("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "xbc", "abcd", "ABC"})
    EXPECT_FALSE(equal_tokens("abc", other)) << other;
}

}  // namespace
}  // namespace synthoscope::studio
