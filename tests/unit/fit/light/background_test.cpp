// SPDX-License-Identifier: MIT
// background_test.cpp — the background of an image is found far from labels, and told apart.
#include "simulator/light/background.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "fit/estimates/robust.hpp"
#include "fit/light/background_model.hpp"
#include "fit/light/background_tiles.hpp"

namespace synthoscope::fit {
namespace {

/// A plane of pixels of a micrometre, whose counts are a function of y and x.
template <class Function>
LabelledImage plane_with(std::int64_t height, std::int64_t width, Function&& counts_at) {
  LabelledImage image;
  image.grid = {{1, height, width}, {1, 1, 1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      image.counts.view()(0, y, x) = static_cast<float>(counts_at(y, x));
  return image;
}

LightRule rule_of_pixels() {
  LightRule rule;
  rule.lateral_um = 2;
  rule.axial_um = 2;
  rule.far_widths = 2;
  rule.apart = 2;
  return rule;
}

/// Tiles on a lattice of 12 x 12 in a field of 120 um, whose mean is a function of their place.
template <class Function>
Tiles lattice_of_tiles(Function&& mean_of) {
  Tiles tiles;
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 12; ++x) {
      BackgroundTile tile;
      tile.y_um = 10 * y + 5;
      tile.x_um = 10 * x + 5;
      tile.along_y = tile.y_um / 120 - 0.5;
      tile.along_x = tile.x_um / 120 - 0.5;
      tile.radial = 2 * (tile.along_y * tile.along_y + tile.along_x * tile.along_x);
      tile.pixels = 100;
      tile.mean = mean_of(tile);
      tiles.push_back(tile);
    }
  return tiles;
}

/// Numbers without a pattern, of mean 0 and deviation 1: evenly spread from -sqrt 3 to sqrt 3.
double scattered(double a, double b) {
  const double s = std::sin(12.9898 * a + 78.233 * b) * 43758.5453;
  return std::sqrt(12.0) * (s - std::floor(s) - 0.5);
}

TEST(Robust, MedianAndDeviationIgnoreAWildValue) {
  EXPECT_EQ(robust_median({}), 0);
  EXPECT_EQ(robust_median({3, 1, 1000}), 3);
  EXPECT_EQ(robust_median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(mean_of_middle_half({1000, 2, 3, 3, 4, 1, 2, 2000}), 3);  // 2, 3, 3, 4
  EXPECT_DOUBLE_EQ(robust_deviation({1, 2, 3, 4, 1000}), 1.4826);
}

TEST(BackgroundTiles, DistancesAreInWidthsOfThePsf) {
  LabelledImage image = plane_with(1, 9, [](auto, auto) { return 0; });
  image.labels.view()(0, 0, 0) = 1;
  const auto squares = squared_widths_from_labels(image, rule_of_pixels());
  EXPECT_DOUBLE_EQ(squares[0], 0);
  EXPECT_DOUBLE_EQ(squares[4], 4);  // 4 um are 2 widths
}

TEST(BackgroundTiles, WithoutLabelsEverythingIsFar) {
  LabelledImage image = plane_with(2, 2, [](auto, auto) { return 0; });
  image.labels = {};
  for (const double square : squared_widths_from_labels(image, rule_of_pixels()))
    EXPECT_EQ(square, std::numeric_limits<double>::infinity());
}

TEST(BackgroundTiles, MeansAreThoseOfPixelsFarFromLabels) {
  // Labels are bright, and so is what is next to them
  LabelledImage image = plane_with(16, 16, [](auto, std::int64_t x) { return x < 6 ? 900 : 10; });
  for (std::int64_t y = 0; y < 16; ++y)
    for (std::int64_t x = 0; x < 2; ++x) image.labels.view()(0, y, x) = 1;
  const LightRule rule = rule_of_pixels();
  const auto tiles = background_tiles(image, squared_widths_from_labels(image, rule), rule);
  ASSERT_EQ(tiles.size(), 4u);        // of 8 x 8 pixels
  EXPECT_EQ(tiles[0].pixels, 8 * 3);  // 4 um from the label at x = 1: from x = 5
  EXPECT_DOUBLE_EQ(tiles[0].mean, (900 + 2 * 10) / 3.0);
  EXPECT_EQ(tiles[1].pixels, 64);
  EXPECT_DOUBLE_EQ(tiles[1].mean, 10);
  EXPECT_DOUBLE_EQ(tiles[1].x_um, 12);
  EXPECT_DOUBLE_EQ(tiles[1].along_x, 0.25);
  EXPECT_DOUBLE_EQ(tiles[1].along_y, -0.25);
  EXPECT_DOUBLE_EQ(tiles[1].radial, 0.25);
}

TEST(BackgroundTiles, GrainIsWhatNeighboursShareAndDistantPixelsDoNot) {
  // Of cos(pi x / 2), whole periods: neighbours have covariance 0, every second one -1/2
  const LabelledImage image = plane_with(96, 96, [](auto, std::int64_t x) {
    return x % 2 == 1 ? 0 : x % 4 == 0 ? 1 : -1;
  });
  const LightRule rule = rule_of_pixels();
  const auto tiles = background_tiles(image, squared_widths_from_labels(image, rule), rule);
  ASSERT_EQ(tiles.size(), 144u);
  EXPECT_NEAR(tiles[0].grain, 0.5, 0.05);  // the ends of a tile are no whole periods
  // Alternating pixels are alike along both diagonals at any distance
  const LabelledImage even =
      plane_with(96, 96, [](std::int64_t y, std::int64_t x) { return (x + y) % 2; });
  EXPECT_NEAR(background_tiles(even, squared_widths_from_labels(even, rule), rule)[0].grain, 0,
              1e-12);
}

TEST(BackgroundTiles, ComeNearerWhereLabelsLeaveNoPlace) {
  LightRule rule = rule_of_pixels();
  EXPECT_EQ(far_widths_within(std::vector<double>(100, 25.0), rule), 2);
  EXPECT_NEAR(far_widths_within(std::vector<double>(100, 1.3 * 1.3), rule), 2 * 0.64, 1e-12);
  EXPECT_EQ(far_widths_within(std::vector<double>(100, 0.0), rule), 0.5);
}

TEST(BackgroundModel, FindsAnExactPlaneAndFalloff) {
  const std::vector<Tiles> images{lattice_of_tiles([](const BackgroundTile& tile) {
    return 50 + 6 * tile.along_x - 4 * tile.along_y - 10 * tile.radial;
  })};
  const BackgroundFit fit = fit_background(images, true, {});
  ASSERT_EQ(fit.values.size(), 4);
  EXPECT_NEAR(fit.values[0], 50, 1e-9);
  EXPECT_NEAR(fit.values[1], 6, 1e-9);
  EXPECT_NEAR(fit.values[2], -4, 1e-9);
  EXPECT_NEAR(fit.values[3], -10, 1e-9);
}

TEST(BackgroundModel, ErrorOfTheLevelIsThatOfAMean) {
  const std::vector<Tiles> images{lattice_of_tiles(
      [](const BackgroundTile& tile) { return 50 + 2 * scattered(tile.y_um, tile.x_um); })};
  const BackgroundFit fit = fit_background(images, false, {});
  EXPECT_NEAR(fit.values[0], 50, 0.5);
  EXPECT_NEAR(std::sqrt(fit.covariance(0, 0)), 2.0 / 12, 0.02);  // of 144 tiles
}

TEST(BackgroundModel, ATileWithAnObjectIsLeftOut) {
  Tiles tiles = lattice_of_tiles([](const BackgroundTile& tile) {
    return 50 + 5 * tile.along_x + 0.1 * scattered(tile.y_um, tile.x_um);
  });
  tiles[30].mean += 40;
  const Tiles kept = without_outliers(tiles, false);
  ASSERT_EQ(kept.size(), 143u);
  EXPECT_NE(kept[30].x_um, tiles[30].x_um);
}

TEST(BackgroundModel, NoiseIsNoField) {
  const std::vector<Tiles> images{
      lattice_of_tiles([](const BackgroundTile& tile) { return scattered(tile.y_um, tile.x_um); })};
  EXPECT_LT(fit_field(images, false).evidence, 11);
}

TEST(BackgroundModel, AFieldOfTheSimulatorHasItsDeviationAndLength) {
  simulator::BackgroundSpec spec;
  spec.field_deviation = 0.1;
  spec.field_um = 15;
  const simulator::Grid grid{{1, 120, 120}, {1, 1, 1}};
  std::vector<Tiles> images;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const simulator::Background background{50, spec, {}, grid, seed};
    images.push_back(lattice_of_tiles([&](const BackgroundTile& tile) {
      return background.at(0, static_cast<std::int64_t>(tile.y_um),
                           static_cast<std::int64_t>(tile.x_um)) +
             0.2 * scattered(tile.y_um, tile.x_um);
    }));
  }
  const FieldFit field = fit_field(images, false);
  EXPECT_GT(field.evidence, 100);
  EXPECT_LE(field.deviation_dn.low, 5);
  EXPECT_GE(field.deviation_dn.high, 5);
  EXPECT_NEAR(field.deviation_dn.value, 5, 1);
  EXPECT_NEAR(field.length_um.value, 15, 4);
}

TEST(BackgroundModel, TooFewTilesTellNothing) {
  const std::vector<Tiles> images{Tiles(5)};
  EXPECT_EQ(fit_background(images, false, {}).values.size(), 0);
  EXPECT_EQ(fit_field(images, false).evidence, 0);
}

}  // namespace
}  // namespace synthoscope::fit
