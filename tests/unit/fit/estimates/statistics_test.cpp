// SPDX-License-Identifier: MIT
#include "fit/estimates/statistics.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>

namespace synthoscope::fit {
namespace {

Statistics mean_of_numbers(const std::vector<double>& numbers) {
  return bootstrap({"mean"}, numbers.size(), [&](std::span<const std::size_t> sample) {
    double sum = 0;
    for (const std::size_t i : sample) sum += numbers[i];
    return Eigen::VectorXd::Constant(1, sum / static_cast<double>(sample.size()));
  });
}

TEST(Bootstrap, VarianceOfAMeanIsThatOfTheObjectsOverTheirNumber) {
  std::vector<double> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  const Statistics found = mean_of_numbers(numbers);
  EXPECT_EQ(found.values[0], 50.5);
  const double exact = 100.0 * 101 / 12 / 100;  // of 1 ... n with n - 1: n (n + 1) / 12
  EXPECT_NEAR(found.covariance(0, 0), exact, 0.25 * exact);
}

TEST(Bootstrap, OneObjectTellsNothingOfTheScatter) {
  const Statistics found = mean_of_numbers({3});
  EXPECT_EQ(found.values[0], 3);
  EXPECT_EQ(found.covariance(0, 0), 0);
}

TEST(Bootstrap, IsTheSameEachTime) {
  const std::vector<double> numbers{1, 4, 9, 16};
  EXPECT_EQ(mean_of_numbers(numbers).covariance(0, 0), mean_of_numbers(numbers).covariance(0, 0));
}

TEST(JoinedStatistics, AreIndependentOfEachOther) {
  const Statistics both = joined(mean_of_numbers({1, 2, 3}), mean_of_numbers({4, 8}));
  EXPECT_EQ(both.names.size(), 2u);
  EXPECT_EQ(both.units, 2);
  EXPECT_EQ(both.values[1], 6);
  EXPECT_EQ(both.covariance(0, 1), 0);
}

TEST(HalfWidth, IsTheQuantileOfStudentsDistribution) {
  EXPECT_NEAR(half_width(11), 2.228, 0.005);  // 10 degrees of freedom, from tables
  EXPECT_NEAR(half_width(31), 2.042, 0.001);
  EXPECT_NEAR(half_width(1e9), 1.960, 0.001);
}

}  // namespace
}  // namespace synthoscope::fit
