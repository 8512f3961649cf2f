// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/iteration_number.hpp"
#include <gtest/gtest.h>
#include <map>
#include <vector>

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

/// A search whose light after n iterations is brought back best by best(n).
struct Search {
  template <class Best>
  Search(Best best, int first, int most) : step{.number = first} {
    while (step.end == SearchEnd::open) {
      rounds.push_back({step.number, static_cast<int>(std::lround(best(step.number)))});
      step = next_step(rounds, most);
    }
  }
  std::vector<SearchRound> rounds;
  SearchStep step;
};

TEST(NextStep, SettlesWhereTheTriedNumberIsATenthAboveTheBest) {
  for (const int first : {5, 20, 80})
    for (const double p : {0.2, 0.5, 0.8})
      for (const double target : {10.0, 25.0, 60.0}) {
        const double a = target / 1.1 / std::pow(target, p);
        // Numbers are whole, and a step of 4 % is not taken
        const double within = (0.55 + 0.03 * target) / (1 - p);
        const Search search{[&](int n) { return std::max(1.0, a * std::pow(n, p)); }, first, 200};
        EXPECT_NEAR(search.step.number, target, within) << first << ' ' << p << ' ' << target;
        EXPECT_NE(search.step.end, SearchEnd::rounds) << first << ' ' << p << ' ' << target;
      }
}

TEST(NextStep, EndsACycleWithItsNumberThatIsNearestToItsOwnBest) {
  struct Row {
    std::map<int, int> best;  ///< of tried numbers
    int first, number;
    std::size_t rounds;
  };
  const Row table[] = {
      {{{20, 8}, {7, 6}, {6, 6}}, 20, 7, 3},          // 20, 7, 6, 7: 6.6 is nearer to 7 than to 6
      {{{31, 31}, {36, 28}, {28, 27}}, 31, 28, 3},    // 31, 36, 28, 31
      {{{20, 6}, {7, 6}, {6, 5}, {5, 5}}, 20, 6, 4},  // 6, 5, 6; 7 is not part of the cycle
  };
  for (const Row& row : table) {
    const Search search{[&](int n) { return row.best.at(n); }, row.first, 100};
    EXPECT_EQ(search.step.end, SearchEnd::cycle);
    EXPECT_EQ(search.step.number, row.number);
    EXPECT_EQ(search.rounds.size(), row.rounds);
  }
}

TEST(NextStep, EndsAfterTenRoundsWithTheNextNumber) {
  const auto grows = [](int n) { return n / 1.1 * std::pow(3000.0 / n, 0.1); };
  const Search search{grows, 100, 10000};
  EXPECT_EQ(search.step.end, SearchEnd::rounds);
  EXPECT_EQ(search.rounds.size(), 10U);
  EXPECT_EQ(search.step.number, next_number(search.rounds.back(), 10000));
}

TEST(NextNumber, StaysBetweenOneAndTheMost) {
  EXPECT_EQ(next_number({1, 1}, 100), 1);
  EXPECT_EQ(next_number({90, 100}, 100), 100);
  EXPECT_EQ(next_number({10, 1000}, 500), 30);
  EXPECT_EQ(next_number({30, 1}, 500), 10);
  EXPECT_TRUE(is_settled(100, 104));
  EXPECT_FALSE(is_settled(10, 11));
}

}  // namespace
}  // namespace synthoscope::deconvolution
