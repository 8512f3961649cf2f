// SPDX-License-Identifier: MIT
// object_light_test.cpp — counts of objects above their surroundings, and what they have in common.
#include "fit/light/object_light.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "fit/light/light_statistics.hpp"

namespace synthoscope::fit {
namespace {

/// A square of `side` pixels of a micrometre in the middle of a dark plane of 41 x 41: what is up
/// to `rim` pixels from its border has `rim_counts`, what is deeper `core_counts`, the rest 7.
LabelledImage square_in_the_dark(std::int64_t side, std::int64_t rim, float rim_counts,
                                 float core_counts) {
  LabelledImage image;
  image.grid = {{1, 41, 41}, {2, 1, 1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  const std::int64_t first = (41 - side) / 2, last = first + side - 1;
  for (std::int64_t y = 0; y < 41; ++y)
    for (std::int64_t x = 0; x < 41; ++x) {
      const std::int64_t depth = std::min({y - first, last - y, x - first, last - x});
      image.labels.view()(0, y, x) = depth >= 0 ? 3 : 0;
      image.counts.view()(0, y, x) = depth < 0 ? 7 : depth < rim ? rim_counts : core_counts;
    }
  return image;
}

std::vector<LitObject> objects_of(const LabelledImage& image, const LightRule& rule) {
  return lit_objects(image, squared_widths_from_labels(image, rule), 5, rule);
}

LitObject object_of(double counts, double size_um3, double radial = 0, double z_um = 0) {
  LitObject object;
  object.counts[0] = counts;
  object.size_um3 = size_um3;
  object.radial = radial;
  object.z_um = z_um;
  return object;
}

double found_in(const Statistics& statistics, std::string_view name) {
  const Eigen::Index place = place_of(statistics, name);
  return place < 0 ? NAN : statistics.values[place];
}

TEST(LitObjects, AreMeansAboveWhatIsNextToThem) {
  LightRule rule;
  rule.lateral_um = 1;
  const auto found = objects_of(square_in_the_dark(11, 1, 107, 107), rule);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].counts[0], 100);
  EXPECT_DOUBLE_EQ(found[0].surroundings, 7);
  EXPECT_DOUBLE_EQ(found[0].size_um3, 11 * 11 * 2);
  EXPECT_DOUBLE_EQ(found[0].radial, 0);
  EXPECT_FALSE(found[0].has_zones);
}

TEST(LitObjects, ZonesAreByDepth) {
  LightRule rule;
  rule.lateral_um = 1;
  rule.zones = true;
  // Depths of a square of 21: 0.5 at the border to 10.5 in the middle
  const auto found = objects_of(square_in_the_dark(21, 1, 57, 17), rule);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(found[0].has_zones);
  EXPECT_DOUBLE_EQ(found[0].counts[1], 50);
  EXPECT_DOUBLE_EQ(found[0].counts[2], 10);
  EXPECT_DOUBLE_EQ(found[0].counts[3], 10);
}

TEST(LitObjects, ShareThatIsBrightIsThatOfABrightMiddle) {
  LightRule rule;
  rule.lateral_um = 1;
  rule.zones = true;
  // A core of 11 in a square of 21; means of neighbours lie half way at its corners at most
  const auto found = objects_of(square_in_the_dark(21, 5, 27, 107), rule);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].bright_share, 11 * 11 / (21 * 21.0), 4.1 / (21 * 21));
  // The same share if all is three times as bright
  const auto brighter = objects_of(square_in_the_dark(21, 5, 81, 321), rule);
  EXPECT_NEAR(brighter[0].bright_share, found[0].bright_share, 4.1 / (21 * 21));
}

TEST(LitObjects, OfACrowdedFieldAreAboveTheLevel) {
  LightRule rule;
  rule.lateral_um = 20;  // nothing is as far as that
  const auto found = objects_of(square_in_the_dark(11, 1, 107, 107), rule);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].surroundings, 5);
}

TEST(LitObjects, SpecksAreNone) {
  EXPECT_TRUE(objects_of(square_in_the_dark(1, 1, 107, 107), {}).empty());
}

TEST(ObjectStatistics, BrightnessIsTheLogarithmOfTheMean) {
  LightSample sample;
  sample.objects = {object_of(100, 1), object_of(100, 1), object_of(200, 1), object_of(200, 1)};
  const Statistics found = object_statistics(sample, {}, false);
  EXPECT_NEAR(found_in(found, name_of(Zone::whole)), std::log(150.0), 1e-12);
  const double apart = std::log(2.0) / 2;  // from the mean of the logarithms; n - 1 = 3
  EXPECT_NEAR(found_in(found, light_name::kVariance), 4 * apart * apart / 3, 1e-5);
  EXPECT_EQ(place_of(found, light_name::kSizeEffect), -1);  // of four objects
}

/// A cell whose stain has this strength: 3 at the border, 10 inside and 40 in the middle times it.
LitObject cell_of(double stain, double bright_share) {
  LitObject object = object_of(20 * stain, 1);
  object.counts = {20 * stain, 3 * stain, 10 * stain, 40 * stain};
  object.has_zones = true;
  object.bright_share = bright_share;
  return object;
}

TEST(ObjectStatistics, ZonesBesideEachOtherDoNotVaryWithTheStain) {
  LightSample sample;
  sample.objects = {cell_of(1, 0.2), cell_of(2, 0.2), cell_of(4, 0.3), cell_of(8, 0.9)};
  LightRule rule;
  rule.zones = true;
  const Statistics found = object_statistics(sample, rule, false);
  EXPECT_NEAR(found_in(found, relative_name_of(Zone::border)), std::log(0.3), 1e-9);
  EXPECT_NEAR(found_in(found, relative_name_of(Zone::middle)), std::log(4.0), 1e-9);
  const Eigen::Index relative = place_of(found, relative_name_of(Zone::middle)),
                     inside = place_of(found, name_of(Zone::inside));
  EXPECT_NEAR(found.covariance(relative, relative), 0, 1e-18);
  EXPECT_GT(found.covariance(inside, inside), 0.01);
  EXPECT_NEAR(found_in(found, light_name::kBrightShare), 0.25, 1e-12);  // of the middle half
}

TEST(ObjectStatistics, TellSizeFalloffAndDepthApart) {
  LightSample sample;
  for (int i = 0; i < 64; ++i) {
    const double size = (i & 1) != 0 ? 1 : -1, radial = (i & 2) != 0 ? 0.75 : 0.25,
                 z = (i & 4) != 0 ? 12 : 4;
    sample.objects.push_back(
        object_of(std::exp(5 + 0.2 * size - 0.3 * radial - 0.01 * z), std::exp(size), radial, z));
  }
  const Statistics found = object_statistics(sample, {}, true);
  EXPECT_NEAR(found_in(found, light_name::kSizeEffect), 0.2, 1e-4);
  EXPECT_NEAR(found_in(found, light_name::kObjectFalloff), -0.3, 1e-4);
  EXPECT_NEAR(found_in(found, light_name::kDepthEffect), -0.01, 1e-5);
  EXPECT_NEAR(found_in(found, light_name::kVariance), 0, 1e-6);
}

TEST(ObjectStatistics, ASingleWildObjectHardlyMatters) {
  LightSample sample;
  for (int i = 0; i < 20; ++i) sample.objects.push_back(object_of(100 + i % 2, 1));
  sample.objects.push_back(object_of(1e6, 1));
  EXPECT_NEAR(found_in(object_statistics(sample, {}, false), name_of(Zone::whole)), std::log(100.5),
              0.01);
}

TEST(ObjectStatistics, NoObjectsHaveNone) {
  EXPECT_TRUE(object_statistics({}, {}, false).names.empty());
}

TEST(BackgroundStatistics, AreAboveTheDarkLevel) {
  LightSample sample;
  Tiles tiles;
  for (int i = 0; i < 9; ++i) {
    BackgroundTile tile;
    tile.along_x = i % 3 - 1;
    tile.along_y = i / 3 - 1;
    tile.x_um = i % 3;
    tile.y_um = i / 3;
    tile.pixels = 10;
    tile.mean = 120 + 3 * tile.along_x;
    tile.grain = i;
    tile.pairs = 10;
    tiles.push_back(tile);
  }
  sample.tiles = {tiles};
  LightRule rule;
  rule.falloff = false;
  const Statistics found = background_statistics(sample, rule, {}, 100);
  EXPECT_NEAR(found_in(found, light_name::kLevel), 20, 1e-9);
  EXPECT_NEAR(found_in(found, light_name::kAlongX), 3, 1e-9);
  EXPECT_NEAR(found_in(found, light_name::kGrain), 4, 1e-12);
}

TEST(WithoutFalloff, LightAboveTheDarkIsDividedByWhatIsLeft) {
  BackgroundTile tile;
  tile.radial = 0.5;
  tile.mean = 180;
  tile.grain = 16;
  const LightSample found = without_falloff({{{tile}}, {}}, 0.4, 100);
  EXPECT_DOUBLE_EQ(found.tiles[0][0].mean, 200);
  EXPECT_DOUBLE_EQ(found.tiles[0][0].grain, 25);
}

TEST(SelectedStatistics, KeepTheirCovariance) {
  const Statistics all{{"a", "b", "c"},
                       Eigen::Vector3d{1, 2, 3},
                       Eigen::Matrix3d{{1, 2, 3}, {2, 5, 6}, {3, 6, 9}},
                       4};
  const Statistics found = selected(all, {"c", "a"});
  EXPECT_EQ(found.values, (Eigen::Vector2d{3, 1}));
  EXPECT_EQ(found.covariance, (Eigen::Matrix2d{{9, 3}, {3, 1}}));
  EXPECT_EQ(found.units, 4);
}

}  // namespace
}  // namespace synthoscope::fit
