// SPDX-License-Identifier: MIT
// Integers of files are integers, and of our size; no text overflows the stack.
#include "core/base/json.hpp"
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace synthoscope {
namespace {

TEST(ParseJson, RefusesWhatNestsTooDeep) {
  const auto nested = [](std::size_t depth, const std::string& inside = "") {
    return std::string(depth, '[') + inside + std::string(depth, ']');
  };
  EXPECT_EQ(text_of(parse_json(nested(1000))), nested(1000));
  EXPECT_TRUE(try_parse_json(nested(900, R"("\"[[")")));  // of a text nothing nests
  for (const std::size_t depth : {1001, 100000}) {
    EXPECT_THROW(parse_json(nested(depth)), Json::parse_error);
    EXPECT_FALSE(try_parse_json(nested(depth)));
  }
}

TEST(WholeOf, TakesIntegersAlone) {
  EXPECT_EQ(whole_of(parse_json("-9223372036854775808")), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(whole_of(parse_json("9223372036854775807")), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"9223372036854775808", "1e300", "1.0", "true", "\"1\"", "null", "[1]"})
    EXPECT_THROW(whole_of(parse_json(text)), Json::type_error) << text;
}

TEST(TryWholeOf, IsNoneWhereWholeOfThrows) {
  EXPECT_EQ(try_whole_of(parse_json("-7")), -7);
  for (const char* text : {"9223372036854775808", "1.0", "null"})
    EXPECT_FALSE(try_whole_of(parse_json(text))) << text;
}

TEST(UnsignedOf, TakesWhatIsNotNegative) {
  EXPECT_EQ(unsigned_of(parse_json("18446744073709551615")),
            std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"-1", "18446744073709551616", "1e300", "2.0", "null"})
    EXPECT_THROW(unsigned_of(parse_json(text)), Json::type_error) << text;
}

TEST(WholeNumbersOf, TakesListsOfIntegersAlone) {
  EXPECT_EQ(whole_numbers_of(parse_json("[3, -4]")), (std::vector<std::int64_t>{3, -4}));
  EXPECT_TRUE(whole_numbers_of(parse_json("[]")).empty());
  for (const char* text : {"[1, 1e300]", "{\"a\": 1}", "1", "[[1]]"})
    EXPECT_THROW(whole_numbers_of(parse_json(text)), Json::type_error) << text;
}

}  // namespace
}  // namespace synthoscope
