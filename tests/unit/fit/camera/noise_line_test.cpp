// SPDX-License-Identifier: MIT
#include "fit/camera/noise_line.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>
#include "fit/camera/camera_noise.hpp"

namespace synthoscope::fit {
namespace {

constexpr SpreadPrior kNoSpread{0, 0};

/// Variances that scatter as averages of squares do, around 3 (m - 90) + spread (m - 90)^2.
std::vector<NoisePoint> points_of(double spread, int count, double most = 2000) {
  std::mt19937 random{4};
  std::chi_squared_distribution<double> average{100};
  std::vector<NoisePoint> points;
  for (int i = 0; i < count; ++i) {
    const double light = 20 + most * i / count;
    points.push_back({90 + light, (3 * light + spread * light * light) * average(random) / 100});
  }
  return points;
}

TEST(NoiseLine, GoesThroughPointsWithoutScatter) {
  const NoiseLine line =
      noise_line({{100, 30}, {110, 60}, {120, 90}, {130, 120}, {140, 150}}, kNoSpread);
  EXPECT_NEAR(line.slope, 3, 1e-9);
  EXPECT_NEAR(line.zero, 90, 1e-9);
  EXPECT_NEAR(line.at(120), 90, 1e-9);
}

TEST(NoiseLine, ErrorsCoverTheTruth) {
  const NoiseLine line = noise_line(points_of(0, 400), kNoSpread);
  EXPECT_NEAR(line.slope, 3, 3 * line.slope_error);
  EXPECT_NEAR(line.zero, 90, 3 * line.zero_error);
  EXPECT_LT(line.slope_error, 0.05);
  EXPECT_GT(line.slope_error, 0.01);  // of 400 points that scatter by 14 %
  EXPECT_NEAR(line.scatter, std::sqrt(2.0 / 100), 0.02);
}

TEST(NoiseLine, PointsFarOffDoNotMoveIt) {
  auto points = points_of(0, 400);
  for (std::size_t i = 0; i < points.size(); i += 20) points[i].variance *= 6;
  const NoiseLine line = noise_line(points, kNoSpread);
  EXPECT_NEAR(line.slope, 3, 0.06);
  EXPECT_FALSE(line.kept[0]);
  EXPECT_TRUE(line.kept[1]);
}

TEST(NoiseLine, ASpreadOfGainsBendsItAndDoesNotMoveItsSlope) {
  const NoiseLine line = noise_line(points_of(4e-4, 1000, 8000), {0.5e-4, 2e-4});
  EXPECT_NEAR(line.spread, 4e-4, 3 * line.spread_error);
  EXPECT_NEAR(line.slope, 3, 3 * line.slope_error);
  EXPECT_LT(line.slope_error, 0.2);
  const NoiseLine straight = noise_line(points_of(4e-4, 1000, 8000), kNoSpread);
  EXPECT_GT(straight.slope, 3.5);  // that is why
}

TEST(CameraNoise, SaysWhenTheBendTakesAllOfTheGrowth) {
  // Structure in the band grows as the square of the light, and hides what grows as the light
  auto points = points_of(0, 400);
  for (NoisePoint& point : points) {
    const double light = point.mean - 90;
    point.variance = (50 + 2e-3 * light * light) * point.variance / (3 * light);
  }
  const CameraNoise shared = camera_noise({points, {}, {}, 0}, {}, 0, {1e-3, 1e-3});
  EXPECT_TRUE(shared.is_growth_shared);
  EXPECT_EQ(shared.pattern.gains, 0);
  EXPECT_EQ(shared.line.spread, 0);
  EXPECT_TRUE(shared.line.rises());
  const CameraNoise of_light = camera_noise({points_of(0, 400), {}, {}, 0}, {}, 0, {1e-5, 1e-5});
  EXPECT_FALSE(of_light.is_growth_shared);
  EXPECT_NEAR(of_light.line.slope, 3, 0.1);
}

TEST(NoiseLine, AKnownSpreadIsKept) {
  const NoiseLine line = noise_line(points_of(4e-4, 400), {4e-4, 0});
  EXPECT_DOUBLE_EQ(line.spread, 4e-4);
  EXPECT_NEAR(line.slope, 3, 0.1);
}

TEST(NoiseLine, AnUncertainSpreadWidensTheInterval) {
  const auto points = points_of(0, 400);
  EXPECT_GT(noise_line(points, {0.5e-4, 1e-4}).slope_error,
            1.2 * noise_line(points, {0.5e-4, 0}).slope_error);
}

TEST(NoiseLine, ASpreadOfGainsCountsTheSquareOfUnevenLight) {
  auto points = points_of(0, 400);
  for (NoisePoint& point : points) {
    const double light = point.mean - 90;
    point.unevenness = light * light / 2;
    point.variance += 4e-4 * (light * light + point.unevenness);
  }
  EXPECT_NEAR(noise_line(points, {4e-4, 0}).slope, 3, 0.06);
  for (NoisePoint& point : points) point.unevenness = 0;
  EXPECT_GT(noise_line(points, {4e-4, 0}).slope, 3.1);  // that is why
}

TEST(NoiseLine, PointsThatRepeatEachOtherTellLess) {
  const auto points = points_of(0, 400);
  EXPECT_NEAR(noise_line(points, kNoSpread, 4).slope_error,
              2 * noise_line(points, kNoSpread).slope_error, 1e-9);
}

TEST(NoiseLine, ErrorOfTheFloorAtTheZeroIsThatOfTheZero) {
  const NoiseLine line = noise_line(points_of(0, 400), kNoSpread);
  EXPECT_NEAR(line.floor_error(line.zero), line.slope * line.zero_error, 1e-9);
}

}  // namespace
}  // namespace synthoscope::fit
