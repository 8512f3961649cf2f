// SPDX-License-Identifier: MIT
#include "core/math/linear_system.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope {
namespace {

using Rows = std::vector<std::vector<double>>;

TEST(LinearSystem, IsSolvedForSeveralRightSides) {
  // A Hilbert matrix, whose products with known vectors stand behind it
  constexpr std::size_t kSize = 5;
  Rows rows(kSize, std::vector<double>(kSize + 2));
  const auto known = [](std::size_t i, std::size_t b) {
    return b == 0 ? static_cast<double>(i) - 2 : std::cos(static_cast<double>(i));
  };
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t j = 0; j < kSize; ++j) {
      rows[i][j] = 1 / static_cast<double>(i + j + 1);
      for (std::size_t b = 0; b < 2; ++b) rows[i][kSize + b] += rows[i][j] * known(j, b);
    }
  ASSERT_TRUE(solve_linear(rows));
  for (std::size_t i = 0; i < kSize; ++i)
    for (std::size_t b = 0; b < 2; ++b) EXPECT_NEAR(rows[i][kSize + b], known(i, b), 1e-10);
}

TEST(LinearSystem, IsSolvedWherePivotsMustBeSought) {
  Rows rows{{0, 2, 0, 4}, {0, 0, 4, 12}, {5, 0, 0, 5}};
  ASSERT_TRUE(solve_linear(rows));
  EXPECT_EQ(rows[0][3], 1);
  EXPECT_EQ(rows[1][3], 2);
  EXPECT_EQ(rows[2][3], 3);
}

TEST(LinearSystem, OfRowsThatDependOnEachOtherHasNoSolution) {
  Rows rows{{1, 2, 3, 1}, {4, 5, 6, 1}, {7, 8, 9, 1}};
  EXPECT_FALSE(solve_linear(rows));
}

}  // namespace
}  // namespace synthoscope
