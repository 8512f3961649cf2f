// SPDX-License-Identifier: MIT
// weighted_line_test.cpp — lines through points with error bars, against worked examples.
#include "simulator/calibration/weighted_line.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>

namespace synthoscope::simulator {
namespace {

TEST(WeightedLine, GoesThroughPointsOfALine) {
  const auto line = weighted_line({{0, 3, 1}, {2, 7, 0.1}, {10, 23, 5}});
  EXPECT_NEAR(line.slope, 2, 1e-12);
  EXPECT_NEAR(line.intercept, 3, 1e-12);
  EXPECT_NEAR(line.chi_square, 0, 1e-20);
  EXPECT_EQ(line.freedom, 1);
}

TEST(WeightedLine, TrustsPointsByTheirErrors) {
  // Two points a step apart decide; the third, of an error a million times theirs, does not
  const auto line = weighted_line({{0, 0, 1e-3}, {1, 1, 1e-3}, {2, 100, 1e3}});
  EXPECT_NEAR(line.slope, 1, 1e-6);
}

TEST(WeightedLine, HasTheErrorsThatItsSlopeScattersBy) {
  std::mt19937_64 engine{3};
  std::normal_distribution<double> noise;
  const std::vector<double> errors{0.3, 0.1, 0.5, 0.2, 0.4, 0.3};
  double sum = 0, squares = 0, told = 0;
  constexpr int kRepeats = 4000;
  for (int i = 0; i < kRepeats; ++i) {
    std::vector<LinePoint> points;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const auto x = static_cast<double>(k);
      points.push_back({x, 1 + 0.5 * x + errors[k] * noise(engine), errors[k]});
    }
    const auto line = weighted_line(points);
    sum += line.slope;
    squares += line.slope * line.slope;
    told += line.slope_error / std::sqrt(std::max(line.chi_square / line.freedom, 1.0));
  }
  const double mean = sum / kRepeats, scatter = std::sqrt(squares / kRepeats - mean * mean);
  EXPECT_NEAR(mean, 0.5, 5 * scatter / std::sqrt(kRepeats));
  EXPECT_NEAR(scatter / (told / kRepeats), 1, 5 / std::sqrt(2.0 * kRepeats));
}

}  // namespace
}  // namespace synthoscope::simulator
