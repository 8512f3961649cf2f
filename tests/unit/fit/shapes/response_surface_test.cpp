// SPDX-License-Identifier: MIT
#include "fit/shapes/response_surface.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/math/random.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kNoise = 0.2;  ///< standard deviation of a statistic of one image

/// Uniform noise of that deviation.
double noise(std::uint64_t number) {
  const RandomStream random{5, RandomStage::fit_samples};
  return kNoise * std::sqrt(12.0) * (uniform32(random.block(number, 0)[0]) - 0.5);
}

/// Images whose statistics are a (1 + a / 4) and a - b, with noise.
std::vector<SurfacePoint> images_of(const std::vector<double>& as, const std::vector<double>& bs) {
  std::vector<SurfacePoint> points;
  std::uint64_t number = 0;
  for (const double a : as)
    for (const double b : bs)
      for (int i = 0; i < 20; ++i) {
        Eigen::VectorXd values(2);
        values << a * (1 + a / 4) + noise(number), a - b + noise(number + 1);
        number += 2;
        points.push_back({{a, b}, values});
      }
  return points;
}

const std::array<ValueRange, 2> kRanges{{{0, 2}, {-1, 1}}};

Eigen::VectorXd statistics_at(double a, double b) {
  return Eigen::Vector2d{a * (1 + a / 4), a - b};
}

TEST(ResponseSurface, FindsBothNumbersOfACurvedRelation) {
  const auto found =
      on_surface(images_of({0, 1, 2}, {-1, 0, 1}), statistics_at(1.3, -0.4), 1, kRanges);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR((*found)[0].value, 1.3, 0.08);
  EXPECT_NEAR((*found)[1].value, -0.4, 0.1);
  // The slope of the first statistic is 1 + a / 2; variances are enlarged by a half
  EXPECT_NEAR((*found)[0].high - (*found)[0].low, 2 * 1.96 * std::sqrt(1.5) * kNoise / 1.65, 0.15);
}

TEST(ResponseSurface, ManyImagesTellMore) {
  const auto points = images_of({0, 1, 2}, {-1, 0, 1});
  const auto width = [&](double images) {
    const auto found = on_surface(points, statistics_at(1, 0), images, kRanges);
    return (*found)[0].high - (*found)[0].low;
  };
  EXPECT_LT(width(16), 0.6 * width(1));
}

TEST(ResponseSurface, AnIntervalAtTheEndOfItsRangeContainsTheEnd) {
  const auto found =
      on_surface(images_of({0, 1, 2}, {-1, 0, 1}), statistics_at(-0.2, 0), 1, kRanges);
  EXPECT_EQ((*found)[0].value, 0);
  EXPECT_EQ((*found)[0].low, 0);
  EXPECT_LT((*found)[0].high, 0.5);
}

TEST(ResponseSurface, KeepsANumberWhoseRangeIsOneValue) {
  const std::array<ValueRange, 2> ranges{{{0, 2}, {0.5, 0.5}}};
  const auto found = on_surface(images_of({0, 1, 2}, {0.5}), statistics_at(1, 0.5), 1, ranges);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR((*found)[0].value, 1, 0.1);
  EXPECT_EQ((*found)[1].value, 0.5);
}

TEST(ResponseSurface, NeedsMorePointsThanTerms) {
  EXPECT_FALSE(on_surface({{{0, 0}, statistics_at(0, 0)}}, statistics_at(0, 0), 1, kRanges));
}

}  // namespace
}  // namespace synthoscope::fit
