// SPDX-License-Identifier: MIT
#include "score/labels/matching.hpp"
#include <gtest/gtest.h>
#include "tests/unit/score/labels/label_volumes.hpp"

namespace synthoscope::score {
namespace {

/// A row of voxels, a digit each.
Volume<std::uint16_t> row(const char* digits) {
  const std::string text{digits};
  return test::made_labels<std::uint16_t>({1, 1, std::ssize(text)},
                                          [&](std::int64_t, std::int64_t, std::int64_t x) {
                                            return text[static_cast<std::size_t>(x)] - '0';
                                          });
}

struct MatchingCase {
  const char *truth, *result;
  double threshold;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< places of truth and result
  const char* why;
};

TEST(Matching, TakesTheRightPairs) {
  const MatchingCase cases[] = {
      {"0111100", "0222200", 1.0, {{0, 0}}, "the same voxels"},
      {"0111100", "0022220", 0.6, {{0, 0}}, "3 of 5 voxels: the threshold belongs to it"},
      {"0111100", "0022220", 0.61, {}, "3 of 5 voxels are too few"},
      {"1111", "1122", 0.5, {{0, 0}}, "two halves: one of them, not both"},
      {"1111222", "1111111", 0.4, {{0, 0}}, "a merge is the larger of the two"},
      {"1111112222", "1111222200", 0.1, {{0, 0}, {1, 1}}, "two pairs, and a weaker third"},
      {"000", "010", 0.1, {}, "no truth"},
  };
  for (const MatchingCase& one : cases) {
    const auto matches =
        matches_of(test::overlaps_of(row(one.truth), row(one.result)), one.threshold);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const Match& match : matches) pairs.emplace_back(match.truth, match.result);
    EXPECT_EQ(pairs, one.pairs) << one.why;
  }
}

TEST(Matching, GivesUpTheBestPairForTwoMatches) {
  // The pair 1-1 shares 3 of 7 voxels; 1-2 and 2-1 share 2 of 5 each
  const auto table = test::overlaps_of(row("111112200"), row("111221100"));
  const auto matches = matches_of(table, 0.3);
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].result, 1u);
  EXPECT_EQ(matches[1].result, 0u);
}

TEST(Matching, IsSymmetric) {
  const auto a = row("1111222233330"), b = row("0111122223444");
  for (const double threshold : {0.1, 0.3, 0.5, 0.7}) {
    const auto forth = matches_of(test::overlaps_of(a, b), threshold);
    const auto back = matches_of(test::overlaps_of(b, a), threshold);
    ASSERT_EQ(forth.size(), back.size());
    double sum_forth = 0, sum_back = 0;
    for (const Match& match : forth) sum_forth += match.iou;
    for (const Match& match : back) sum_back += match.iou;
    EXPECT_DOUBLE_EQ(sum_forth, sum_back);
  }
}

}  // namespace
}  // namespace synthoscope::score
