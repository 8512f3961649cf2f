// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include "core/volume/interval.hpp"

namespace synthoscope {
namespace {

using Numbers = std::vector<std::int64_t>;

IntervalSet of(std::initializer_list<Interval> parts) {
  IntervalSet stretches;
  for (const Interval& part : parts) stretches.add(part);
  return stretches;
}

TEST(IntervalSetTest, JoinWhatOverlapsOrTouches) {
  struct Case {
    IntervalSet found;
    std::vector<Interval> expected;
  };
  const Case cases[] = {
      {of({}), {}},
      {of({{3, 0}}), {}},
      {of({{3, 2}}), {{3, 2}}},
      {of({{3, 2}, {5, 1}}), {{3, 3}}},
      {of({{3, 2}, {6, 1}}), {{3, 2}, {6, 1}}},
      {of({{6, 1}, {3, 2}}), {{3, 2}, {6, 1}}},
      {of({{3, 2}, {6, 1}, {5, 1}}), {{3, 4}}},
      {of({{3, 2}, {4, 9}}), {{3, 10}}},
      {of({{3, 9}, {4, 2}}), {{3, 9}}},
      {of({{0, 1}, {4, 1}, {8, 1}, {1, 6}}), {{0, 7}, {8, 1}}},
  };
  for (const Case& c : cases) EXPECT_EQ(c.found.all(), c.expected);
}

TEST(IntervalSetTest, AreASetOfNumbers) {
  const IntervalSet some = of({{2, 3}, {8, 2}});
  EXPECT_EQ(some.count(), 5);
  EXPECT_EQ(some.numbers(), (Numbers{2, 3, 4, 8, 9}));
  EXPECT_EQ(some.without({}), some);
  EXPECT_EQ(some.without(some), IntervalSet{});
  EXPECT_EQ(some.without(of({{3, 1}, {9, 5}})).numbers(), (Numbers{2, 4, 8}));
  EXPECT_EQ(some.without(of({{0, 3}, {4, 5}})).numbers(), (Numbers{3, 9}));
  IntervalSet both = some;
  both.add(of({{0, 1}, {5, 3}}));
  EXPECT_EQ(both.all(), (std::vector<Interval>{{0, 1}, {2, 8}}));
}

TEST(IntervalSetTest, GiveSomeOfTheirNumbers) {
  const IntervalSet some = of({{2, 3}, {8, 2}});
  EXPECT_EQ(some.slice(0, 5), some);
  EXPECT_EQ(some.slice(1, 3).numbers(), (Numbers{3, 4, 8}));
  EXPECT_EQ(some.slice(3, 9).numbers(), (Numbers{8, 9}));
  EXPECT_EQ(some.slice(5, 1), IntervalSet{});
  EXPECT_EQ(some.slice(4, 0), IntervalSet{});
}

}  // namespace
}  // namespace synthoscope
