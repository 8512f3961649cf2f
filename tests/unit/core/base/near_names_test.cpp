// SPDX-License-Identifier: MIT
#include "core/base/near_names.hpp"
#include <gtest/gtest.h>
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

struct DistanceCase {
  const char* name;
  const char *a, *b;
  std::int64_t distance;
};

constexpr DistanceCase kDistanceCases[] = {
    {"equal", "boundary", "boundary", 0},
    {"one_missing", "bondary", "boundary", 1},
    {"one_more", "boundaryy", "boundary", 1},
    {"one_replaced", "boundery", "boundary", 1},
    {"neighbours_swapped", "bounadry", "boundary", 1},
    {"to_nothing", "abc", "", 3},
    {"from_nothing", "", "abc", 3},
    {"far", "kitten", "sitting", 3},
};

class EditDistance : public testing::TestWithParam<DistanceCase> {};
INSTANTIATE_TEST_SUITE_P(Table, EditDistance, testing::ValuesIn(kDistanceCases), test::kCaseName);

TEST_P(EditDistance, CountsTheFewestChangesInBothDirections) {
  EXPECT_EQ(edit_distance(GetParam().a, GetParam().b), GetParam().distance);
  EXPECT_EQ(edit_distance(GetParam().b, GetParam().a), GetParam().distance);
}

const std::vector<std::string> kKnown{"boundary", "kernel-background", "kernel-center", "shape"};

TEST(NearNames, OfferTheNearestFirst) {
  EXPECT_EQ(near_names("boundry", kKnown), std::vector<std::string>{"boundary"});
  const std::vector<std::string> known{"spacing", "spacings"};
  EXPECT_EQ(near_names("spacigns", known), (std::vector<std::string>{"spacings", "spacing"}));
}

TEST(NearNames, OfferWhatBeginsWithTheWord) {
  EXPECT_EQ(near_names("kernel", kKnown),
            (std::vector<std::string>{"kernel-background", "kernel-center"}));
}

TEST(NearNames, CompareNoWordThatIsFarTooLong) {
  // A table of all its characters with those of a name would take 10 GB
  EXPECT_TRUE(near_names(std::string(std::size_t{1} << 26, 'k'), kKnown).empty());
  EXPECT_EQ(near_names("kernel-centeringg", kKnown), std::vector<std::string>{"kernel-center"});
}

TEST(NearNames, OfferNothingForAStranger) {
  EXPECT_TRUE(near_names("zzzz", kKnown).empty());
  EXPECT_TRUE(near_names("", kKnown).empty());
}

}  // namespace
}  // namespace synthoscope
