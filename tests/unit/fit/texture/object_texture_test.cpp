// SPDX-License-Identifier: MIT
#include "fit/texture/object_texture.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include "fit/texture/texture_statistics.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kSide = 96;
constexpr double kRadius = 32, kDark = 100, kBright = 1000;

/// Stain of a disc at y and x from its middle, relative to kBright.
using StainOfDisc = std::function<double(double y, double x)>;

/// Discs in a row, with normal noise.
LabelledImage stained_discs(const StainOfDisc& stain, double noise, std::int64_t count = 1) {
  LabelledImage image;
  image.grid = {{1, kSide, count * kSide}, {1, 0.1, 0.1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  std::mt19937 draws{7};
  std::normal_distribution<double> normal;
  for (std::int64_t y = 0; y < kSide; ++y)
    for (std::int64_t x = 0; x < count * kSide; ++x) {
      const double from_y = double(y) - kSide / 2.0, from_x = double(x % kSide) - kSide / 2.0;
      const bool inside = std::hypot(from_y, from_x) < kRadius;
      const double light = inside ? kBright * stain(from_y, from_x) : 0;
      image.counts.view()(0, y, x) = static_cast<float>(kDark + light + noise * normal(draws));
      image.labels.view()(0, y, x) = inside ? std::uint32_t(x / kSide + 1) : 0;
    }
  return image;
}

std::vector<ObjectTexture> textures_of(const LabelledImage& image) {
  test::TestContext run;
  return object_textures(image, texture_rule({1, 2, 4}), run.context);
}

double statistic(const LabelledImage& image, const std::string& name) {
  const Statistics all = texture_statistics(textures_of(image), texture_rule({1, 2, 4}));
  for (std::size_t i = 0; i < all.names.size(); ++i)
    if (all.names[i] == name) return all.values[static_cast<Eigen::Index>(i)];
  ADD_FAILURE() << "no statistic " << name;
  return 0;
}

double even(double /*y*/, double /*x*/) {
  return 1;
}

/// A wave of an amplitude in a band: its standard deviation times the difference of the transfers
/// exp(-(k s)^2 / 2) of the two Gaussians.
double wave_in_band(double amplitude, double pixels, double fine, double coarse) {
  const auto passed = [&](double s) {
    return std::exp(-0.5 * std::pow(2 * std::numbers::pi / pixels * s, 2));
  };
  return amplitude / std::sqrt(2.0) * (passed(fine) - passed(coarse));
}

TEST(TextureOfObjects, OfAWaveHasItsContrastInTheBandsOfItsLength) {
  for (const double pixels : {8.0, 12.0}) {
    const auto wave = [&](double, double x) {
      return 1 + 0.3 * std::cos(2 * std::numbers::pi / pixels * x);
    };
    const LabelledImage image = stained_discs(wave, 0);
    // Next to the border of the inside, Gaussians see a part of the wave only
    EXPECT_NEAR(statistic(image, "contrast 0"), wave_in_band(0.3, pixels, 1, 2), 0.01);
    EXPECT_NEAR(statistic(image, "contrast 1"), wave_in_band(0.3, pixels, 2, 4), 0.02);
  }
}

TEST(TextureOfObjects, OfNoiseHasNoContrast) {
  const LabelledImage image = stained_discs(even, 150, 8);
  // Without the share of noise, the first band would have 150 / 1000 sqrt(0.0497) = 0.033
  EXPECT_NEAR(statistic(image, "contrast 0"), 0, 0.004);
  EXPECT_NEAR(statistic(image, "contrast 1"), 0, 0.004);
}

TEST(TextureOfObjects, OfThickMiddlesIsNoContrast) {
  const auto dome = [](double y, double x) {
    return 1.3 - 0.5 * (y * y + x * x) / (kRadius * kRadius) + 0.2 * x / kRadius;
  };
  const LabelledImage image = stained_discs(dome, 0);
  EXPECT_NEAR(statistic(image, "contrast 0"), 0, 1e-4);
  EXPECT_NEAR(statistic(image, "quantile 0.05"), 0, 1e-3);
  // Rings from 0.65 to 0.85 and up to 0.25 of the radius: 0.5 (0.573 - 0.031) over the mean, 1.19
  EXPECT_NEAR(statistic(image, "ring 0"), -0.228, 0.01);
}

TEST(TextureOfObjects, OfDarkSpotsIsSkewedToTheDark) {
  const auto spotted = [](double depth) {
    return [depth](double y, double x) {
      const auto from = [](double t) { return t - 12 * std::floor(t / 12 + 0.5); };
      return 1 + depth * std::exp(-(std::pow(from(y), 2) + std::pow(from(x), 2)) / 8);
    };
  };
  const LabelledImage dark = stained_discs(spotted(-0.5), 0),
                      bright = stained_discs(spotted(0.5), 0);
  EXPECT_LT(statistic(dark, "skewness 0"), -0.5);
  EXPECT_GT(statistic(bright, "skewness 0"), 0.5);
  EXPECT_LT(statistic(dark, "quantile 0.05"), -0.2);
  EXPECT_GT(statistic(dark, "quantile 0.05"), -0.5);
  EXPECT_GT(statistic(bright, "quantile 0.95"), 0.2);
}

TEST(TextureOfObjects, LeavesCutObjectsOut) {
  LabelledImage image = stained_discs(even, 0, 3);
  EXPECT_EQ(textures_of(image).size(), 3u);
  for (std::int64_t x = 0; x < kSide / 2; ++x) image.labels.view()(0, kSide / 2, x) = 1;
  EXPECT_EQ(textures_of(image).size(), 2u);
  EXPECT_NEAR(textures_of(image)[0].level, kBright, 1e-6 * kBright);
}

TEST(TextureOfObjects, DoesNotDependOnBrightnessAndBackground) {
  const auto wave = [](double y, double) { return 1 + 0.2 * std::sin(0.7 * y); };
  const LabelledImage image = stained_discs(wave, 0);
  LabelledImage brighter = stained_discs(wave, 0);
  for (float& counts : brighter.counts.voxels) counts = 3 * counts + 50;
  EXPECT_NEAR(statistic(image, "contrast 0"), statistic(brighter, "contrast 0"), 1e-5);
}

}  // namespace
}  // namespace synthoscope::fit
