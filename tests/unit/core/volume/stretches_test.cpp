// SPDX-License-Identifier: MIT
#include "core/volume/stretches.hpp"
#include <gtest/gtest.h>

namespace synthoscope {
namespace {

using Numbers = std::vector<std::int64_t>;

Stretches of(std::initializer_list<Stretch> parts) {
  Stretches stretches;
  for (const Stretch& part : parts) stretches.add(part);
  return stretches;
}

TEST(StretchesTest, JoinWhatOverlapsOrTouches) {
  struct Case {
    Stretches found;
    std::vector<Stretch> expected;
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

TEST(StretchesTest, AreASetOfNumbers) {
  const Stretches some = of({{2, 3}, {8, 2}});
  EXPECT_EQ(some.count(), 5);
  EXPECT_EQ(some.numbers(), (Numbers{2, 3, 4, 8, 9}));
  EXPECT_EQ(some.without({}), some);
  EXPECT_EQ(some.without(some), Stretches{});
  EXPECT_EQ(some.without(of({{3, 1}, {9, 5}})).numbers(), (Numbers{2, 4, 8}));
  EXPECT_EQ(some.without(of({{0, 3}, {4, 5}})).numbers(), (Numbers{3, 9}));
  Stretches both = some;
  both.add(of({{0, 1}, {5, 3}}));
  EXPECT_EQ(both.all(), (std::vector<Stretch>{{0, 1}, {2, 8}}));
}

TEST(StretchesTest, GiveSomeOfTheirNumbers) {
  const Stretches some = of({{2, 3}, {8, 2}});
  EXPECT_EQ(some.some(0, 5), some);
  EXPECT_EQ(some.some(1, 3).numbers(), (Numbers{3, 4, 8}));
  EXPECT_EQ(some.some(3, 9).numbers(), (Numbers{8, 9}));
  EXPECT_EQ(some.some(5, 1), Stretches{});
  EXPECT_EQ(some.some(4, 0), Stretches{});
}

}  // namespace
}  // namespace synthoscope
