// SPDX-License-Identifier: MIT
#include "fit/shapes/keys_from_statistics.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/math/random.hpp"

namespace synthoscope::fit {
namespace {

/// Uniform noise of this standard deviation.
double noise_of(std::size_t number, double deviation) {
  const RandomStream random{5, RandomStage::fit_samples};
  return deviation * std::sqrt(12.0) * (uniform32(random.block(number, 0)[0]) - 0.5);
}

constexpr double kNoise = 0.05;

/// Statistics of a scene with two keys: a (1 + a), a - b and one that tells nothing.
Eigen::VectorXd statistics_of(double a, double b, std::size_t number) {
  return Eigen::Vector3d{a * (1 + a) + noise_of(3 * number, kNoise),
                         a - b + noise_of(3 * number + 1, kNoise), noise_of(3 * number + 2, 1)};
}

std::vector<KeyedStatistics> scenes_of(std::size_t count) {
  std::vector<KeyedStatistics> scenes;
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::VectorXd shares = even_shares(i, 2);
    scenes.push_back({shares, statistics_of(shares[0], shares[1], i)});
  }
  return scenes;
}

TEST(EvenShares, AreRadicalInverses) {
  EXPECT_EQ(even_shares(0, 2), (Eigen::Vector2d{1.0 / 2, 1.0 / 3}));
  EXPECT_NEAR((even_shares(4, 2) - Eigen::Vector2d{5.0 / 8, 7.0 / 9}).norm(), 0, 1e-15);
}

TEST(KeysFromStatistics, AreFoundOfACurvedRelation) {
  const auto found = keys_from_statistics(scenes_of(200), Eigen::Vector3d{0.4 * 1.4, 0.4 - 0.7, 0});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR((*found)[0].value, 0.4, 0.03);
  EXPECT_NEAR((*found)[1].value, 0.7, 0.05);
  // The slope of the first statistic is 1 + 2 a: no interval is shorter than its noise allows, and
  // so few scenes make it up to three times as long
  const double shortest = 2 * 1.96 * kNoise / 1.8;
  EXPECT_GT((*found)[0].high - (*found)[0].low, shortest);
  EXPECT_LT((*found)[0].high - (*found)[0].low, 3 * shortest);
}

TEST(KeysFromStatistics, AreInTheirIntervalsAsOftenAsThoseSay) {
  const std::vector<KeyedStatistics> scenes = scenes_of(96);
  int inside = 0, all = 0;
  for (std::size_t i = 1000; i < 1100; ++i) {
    const Eigen::VectorXd shares = even_shares(i, 2);
    const auto found = keys_from_statistics(scenes, statistics_of(shares[0], shares[1], i));
    for (std::size_t key = 0; key < 2; ++key) {
      const double share = shares[static_cast<Eigen::Index>(key)];
      if ((*found)[key].low <= share && share <= (*found)[key].high) ++inside;
      ++all;
    }
  }
  EXPECT_GE(inside, 0.92 * all);
  EXPECT_LT(inside, all);
}

TEST(KeysFromStatistics, ThatNothingTellsHaveTheirWholeRange) {
  std::vector<KeyedStatistics> scenes = scenes_of(96);
  for (KeyedStatistics& scene : scenes) scene.values.head(2).setZero();
  const auto found = keys_from_statistics(scenes, Eigen::Vector3d::Zero());
  ASSERT_TRUE(found.has_value());
  for (const ShareEstimate& one : *found) EXPECT_GT(one.high - one.low, 0.9);
}

TEST(KeysFromStatistics, NeedFourScenesForEachStatistic) {
  EXPECT_FALSE(keys_from_statistics(scenes_of(11), Eigen::Vector3d::Zero()));
  EXPECT_TRUE(keys_from_statistics(scenes_of(12), Eigen::Vector3d::Zero()));
}

}  // namespace
}  // namespace synthoscope::fit
