// SPDX-License-Identifier: MIT
#include "fit/blur/blur_statistics.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::fit {
namespace {

TEST(BlurStatistics, OfPointsAreMediansOfLogarithms) {
  BlurMeasure measure;
  measure.points = measure.axial_points = true;
  BlurSamples samples;
  samples.points = {{0.2, 0.5}, {0.3, 0.7}, {9, 0.9}};
  const Statistics found = blur_statistics(samples, measure);
  ASSERT_EQ(found.values.size(), 2);
  EXPECT_DOUBLE_EQ(found.values[0], std::log(0.3));
  EXPECT_DOUBLE_EQ(found.values[1], std::log(0.7));
  EXPECT_EQ(found.units, 3);
}

TEST(BlurStatistics, OfATwinWithoutPointsAreRefused) {
  BlurMeasure measure;
  measure.points = true;
  EXPECT_THROW(blur_statistics({}, measure), InvalidSpec);
}

TEST(Unlikeness, AddsToTheVarianceOfEdgesAndSpectraOnly) {
  BlurMeasure measure;
  measure.points = true;
  measure.reach = 3;
  BlurSamples samples;
  samples.points = {{0.2, 0}, {0.2, 0}};
  samples.lateral = {ObjectEdge{}, ObjectEdge{}};
  Statistics real = blur_statistics(samples, measure);
  ASSERT_EQ(real.values.size(), 7);
  EXPECT_LT(real.covariance.norm(), 1e-20);
  add_unlikeness(measure, real);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(real.covariance(i, i), 0.025 * 0.025, 1e-9) << i;
  EXPECT_LT(real.covariance(6, 6), 1e-20);
}

}  // namespace
}  // namespace synthoscope::fit
