// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/iteration_number.hpp"
#include <gtest/gtest.h>

namespace synthoscope::deconvolution {
namespace {

/// Measures errors (number - best)^2 until the search is over. Returns how often.
int measured(SmallestError& search, double best) {
  int count = 0;
  for (; !search.is_over(); ++count) {
    const int number = search.next();
    search.add(number, (number - best) * (number - best));
  }
  return count;
}

TEST(SmallestError, IsFoundWithAQuarterMoreIterations) {
  struct Row {
    double best;
    int found, last_at_most;
  };
  for (const Row& row : {Row{0.4, 1, 4}, {1, 1, 4}, {7.2, 7, 10}, {16, 16, 20}, {40, 40, 52}}) {
    SmallestError search;
    measured(search, row.best);
    EXPECT_EQ(search.best(), row.found) << row.best;
    EXPECT_LE(search.next() - std::max(1, search.next() / 17), row.last_at_most) << row.best;
  }
}

TEST(SmallestError, IsMeasuredAfterEveryIterationAtFirstAndLessOftenLater) {
  SmallestError search;
  EXPECT_EQ(measured(search, 12), 15);
  SmallestError long_one;
  EXPECT_LT(measured(long_one, 400), 100);
  EXPECT_NEAR(long_one.best(), 400, 13);
}

/// Light after n iterations is brought back best by a n^p of them.
int settled_number(double a, double p, int first, int most) {
  int number = first;
  for (int round = 0; round < 20; ++round) {
    const int best = std::max(1, static_cast<int>(std::lround(a * std::pow(number, p))));
    const int next = next_number(number, best, most);
    if (is_settled(number, next)) return next;
    number = next;
  }
  return 0;
}

TEST(NextNumber, SettlesWhereTheTriedNumberIsATenthAboveTheBest) {
  for (const int first : {2, 20, 80})
    for (const double p : {0.2, 0.5, 0.8})
      for (const double target : {10.0, 25.0, 60.0}) {
        const double a = target / 1.1 / std::pow(target, p);
        // Numbers are whole, and a step of 4 % is not taken
        const double within = (0.55 + 0.03 * target) / (1 - p);
        EXPECT_NEAR(settled_number(a, p, first, 200), target, within)
            << first << ' ' << p << ' ' << target;
      }
}

TEST(NextNumber, StaysBetweenOneAndTheMost) {
  EXPECT_EQ(next_number(1, 1, 100), 1);
  EXPECT_EQ(next_number(90, 100, 100), 100);
  EXPECT_EQ(next_number(10, 1000, 500), 30);
  EXPECT_EQ(next_number(30, 1, 500), 10);
  EXPECT_TRUE(is_settled(100, 104));
  EXPECT_FALSE(is_settled(10, 11));
}

}  // namespace
}  // namespace synthoscope::deconvolution
