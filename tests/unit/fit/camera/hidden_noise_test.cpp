// SPDX-License-Identifier: MIT
#include "fit/camera/hidden_noise.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>

namespace synthoscope::fit {
namespace {

constexpr double kRounding = 1.0 / 12;

TEST(MomentsOfRounded, DependsOnTheMeanWhereNoiseIsWeak) {
  // A deviation of 0.2 leaves the level with a probability of erfc(2.5 / sqrt 2) = 0.0124
  EXPECT_NEAR(moments_of_rounded(2, 0, 0.04).variance, 0.01242, 1e-5);
  EXPECT_NEAR(moments_of_rounded(2.5, 0, 0.04).variance, 0.25, 1e-4);
  EXPECT_EQ(moments_of_rounded(2.3, 0, 0).variance, 0);
}

TEST(MomentsOfRounded, PullsMeansTowardsLevels) {
  // 1.7 lies one deviation above 1.5
  EXPECT_NEAR(moments_of_rounded(1.7, 0, 0.04).mean, 2 - 0.15866, 1e-4);
}

TEST(MomentsOfRounded, IsATwelfthMoreOfStrongNoise) {
  for (const double mean : {0.0, 0.25, 0.5})
    EXPECT_NEAR(moments_of_rounded(mean, 0, 1.5).variance, 1.5 + kRounding, 1e-6);
}

TEST(MomentsOfRounded, AveragesOverMeans) {
  // Of no noise at all nothing is left, however the means differ: each pixel has its level
  EXPECT_EQ(moments_of_rounded(2, 4, 0).variance, 0);
  const double everywhere = moments_of_rounded(2, 4, 0.09).variance,
               elsewhere = moments_of_rounded(2.5, 4, 0.09).variance;
  EXPECT_NEAR(everywhere, elsewhere, 0.01);
}

/// Points of rounded noise whose variance is floor + gain x light; its mean is `dark` without
/// light.
std::vector<NoisePoint> rounded_points(double floor, double gain, double dark) {
  std::mt19937 random{3};
  std::normal_distribution<double> normal;
  std::vector<NoisePoint> points;
  for (int i = 0; i < 240; ++i) {
    const double light = i < 160 ? 0.004 * i : 0.5 * (i - 159);
    const double sigma = std::sqrt(floor + gain * light);
    double first = 0, second = 0;
    constexpr int pixels = 400;
    for (int pixel = 0; pixel < pixels; ++pixel) {
      const double value = std::round(dark + light + sigma * normal(random));
      first += value / pixels;
      second += value * value / pixels;
    }
    points.push_back({first, second - first * first, 0});
  }
  return points;
}

TEST(RevealedNoise, FindsTheFloorThatRoundingHides) {
  constexpr double gain = 0.05;
  for (const double floor : {0.03, 0.06, 0.12})
    for (const double dark : {0.7, 1.2, 2.0}) {
      const RevealedNoise revealed = revealed_noise(rounded_points(floor, gain, dark), kRounding);
      EXPECT_GT(revealed.hidden, 120u);
      EXPECT_LT(revealed.hidden, 200u);
      const NoiseLine line = noise_line(revealed.points, {0, 0});
      EXPECT_NEAR(line.slope, gain, 0.1 * gain) << floor << ' ' << dark;
      EXPECT_NEAR(line.at(dark), floor + kRounding, 0.006) << floor << ' ' << dark;
    }
}

TEST(RevealedNoise, LeavesStrongNoiseAsItIs) {
  const auto points = rounded_points(0.6, 0.05, 3);
  const RevealedNoise revealed = revealed_noise(points, kRounding);
  EXPECT_EQ(revealed.hidden, 0u);
  EXPECT_EQ(revealed.points.size(), points.size());
}

TEST(RevealedNoise, LeavesHiddenPointsOutWithoutALine) {
  const RevealedNoise revealed = revealed_noise(rounded_points(0.02, 0.001, 1), kRounding);
  EXPECT_EQ(revealed.hidden + revealed.points.size(), 240u);
  EXPECT_LT(revealed.points.size(), 30u);
}

}  // namespace
}  // namespace synthoscope::fit
