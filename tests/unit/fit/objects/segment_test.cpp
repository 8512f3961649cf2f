// SPDX-License-Identifier: MIT
#include "fit/objects/segment.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <set>
#include "fit/objects/focus_extent.hpp"
#include "fit/objects/half_height.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

/// An image of bright balls (in a plane: discs) on a background of 100 with a small ripple.
struct Ball {
  double z, y, x, radius, light;
};

LabelledImage image_of_balls(const Extent3& extent, const std::vector<Ball>& balls) {
  LabelledImage image;
  image.grid = {extent, {1, 1, 1}};
  image.counts = Volume<float>{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        double value = 100 + 3 * std::sin(static_cast<double>(7 * x + 11 * y + 5 * z));
        for (const Ball& ball : balls)
          if (std::hypot(static_cast<double>(z) - ball.z, static_cast<double>(y) - ball.y,
                         static_cast<double>(x) - ball.x) < ball.radius)
            value = 100 + ball.light;
        image.counts.view()(z, y, x) = static_cast<float>(value);
      }
  return image;
}

std::set<std::uint32_t> labels_in(const Volume<std::uint32_t>& labels) {
  std::set<std::uint32_t> found{labels.voxels.begin(), labels.voxels.end()};
  found.erase(0);
  return found;
}

Volume<std::uint32_t> segmented(const LabelledImage& image) {
  test::TestContext run;
  return segment(image, run.context);
}

TEST(Segmentation, SplitsTwoDiscsThatOverlapALittle) {
  const auto labels =
      segmented(image_of_balls({1, 64, 96}, {{0, 32, 30, 14, 900}, {0, 32, 55, 14, 900}}));
  EXPECT_EQ(labels_in(labels), (std::set<std::uint32_t>{1, 2}));
  EXPECT_NE(labels.view()(0, 32, 25), labels.view()(0, 32, 60));
}

TEST(Segmentation, KeepsAnOvalWhole) {
  const auto labels = segmented(image_of_balls(
      {1, 64, 96}, {{0, 32, 40, 14, 900}, {0, 32, 46, 15, 900}, {0, 32, 52, 14, 900}}));
  EXPECT_EQ(labels_in(labels).size(), 1u);
}

TEST(Segmentation, FindsDimObjectsBesideBrightOnes) {
  const auto labels =
      segmented(image_of_balls({1, 96, 96}, {{0, 25, 25, 12, 1000}, {0, 70, 70, 12, 250}}));
  EXPECT_EQ(labels_in(labels).size(), 2u);
}

TEST(Segmentation, FillsHolesAndDropsSpecks) {
  LabelledImage image = image_of_balls({1, 96, 96}, {{0, 40, 40, 16, 900}, {0, 80, 80, 2, 900}});
  for (std::int64_t y = 36; y < 44; ++y)
    for (std::int64_t x = 36; x < 44; ++x) image.counts.view()(0, y, x) = 100;
  const auto labels = segmented(image);
  EXPECT_EQ(labels.view()(0, 40, 40), 1u);
  EXPECT_EQ(labels.view()(0, 80, 80), 0u);
}

TEST(Segmentation, LeavesOutTheHaloOfABrightObject) {
  LabelledImage image = image_of_balls({1, 96, 96}, {{0, 30, 30, 12, 250}});
  const auto distance = [](std::int64_t y, std::int64_t x) {
    return std::hypot(static_cast<double>(y) - 62, static_cast<double>(x) - 62);
  };
  for (std::int64_t y = 0; y < 96; ++y)
    for (std::int64_t x = 0; x < 96; ++x)
      if (distance(y, x) < 12)
        image.counts.view()(0, y, x) = 2100;
      else if (distance(y, x) < 24)
        image.counts.view()(0, y, x) = 600;
  const auto labels = segmented(image);
  std::int64_t bright = 0;
  for (std::int64_t y = 40; y < 96; ++y)
    for (std::int64_t x = 40; x < 96; ++x)
      if (labels.view()(0, y, x) != 0) ++bright;
  EXPECT_EQ(labels_in(labels).size(), 2u);
  EXPECT_NEAR(static_cast<double>(bright), 3.14 * 12 * 12, 60);
}

TEST(Segmentation, GivesAVoxelToTheBodyOfItsDeepestNeighbour) {
  // Two discs, the smaller one at the side of the larger: the border between them is at their waist
  const auto labels =
      segmented(image_of_balls({1, 64, 96}, {{0, 32, 30, 18, 900}, {0, 32, 56, 11, 900}}));
  ASSERT_EQ(labels_in(labels).size(), 2u);
  for (std::int64_t x = 50; x < 66; ++x)
    EXPECT_EQ(labels.view()(0, 32, x), labels.view()(0, 32, 56)) << x;
  for (std::int64_t y = 26; y < 39; ++y)
    EXPECT_EQ(labels.view()(0, y, 60), labels.view()(0, 32, 56)) << y;
}

TEST(LevelOfAnObject, IsItsMedianOrThatOfItsBrightPart) {
  EXPECT_EQ(level_of_object({5, 5, 5}), 5);
  std::vector<double> even;
  for (int i = 0; i <= 100; ++i) even.push_back(i);
  EXPECT_EQ(level_of_object(even), 50);
  std::vector<double> two;
  for (int i = 0; i < 60; ++i) two.push_back(10 + i % 3);
  for (int i = 0; i < 30; ++i) two.push_back(100 + i % 3);
  EXPECT_EQ(level_of_object(two), 101);
}

/// A column of light through a stack whose fine structure fades away from plane 15.
TEST(Focus, EndsAnObjectWhereItsStructureHasHalfOfItsAmplitude) {
  constexpr double kFade = 4;  // standard deviation, planes
  LabelledImage image = image_of_balls({31, 80, 80}, {});
  Volume<std::uint32_t> labels{image.grid.extent};
  for (std::int64_t z = 0; z < 31; ++z)
    for (std::int64_t y = 0; y < 80; ++y)
      for (std::int64_t x = 0; x < 80; ++x) {
        if (std::hypot(static_cast<double>(y) - 40, static_cast<double>(x) - 40) >= 30) continue;
        const double off = (static_cast<double>(z) - 15) / kFade;
        image.counts.view()(z, y, x) = static_cast<float>(
            1000 + 200 * std::exp(-off * off / 2) * std::sin(0.4 * static_cast<double>(x)) *
                       std::sin(0.4 * static_cast<double>(y)));
        labels.view()(z, y, x) = 3;
      }
  test::TestContext run;
  cut_to_focus(image, labels, run.context);
  std::int64_t planes = 0;
  for (std::int64_t z = 0; z < 31; ++z)
    if (labels.view()(z, 40, 40) == 3) ++planes;
  // Half of the amplitude is sqrt(2 ln 2) standard deviations from the middle
  EXPECT_NEAR(static_cast<double>(planes), 2 * 1.177 * kFade, 1.5);
  // An ellipsoid: at the border of the outline only near its middle
  EXPECT_EQ(labels.view()(15, 40, 12), 3u);
  EXPECT_EQ(labels.view()(18, 40, 12), 0u);
}

TEST(Focus, LeavesObjectsWithoutStructureAsTheyAre) {
  const LabelledImage image = image_of_balls({24, 48, 48}, {{12, 24, 24, 11, 900}});
  Volume<std::uint32_t> labels{image.grid.extent};
  for (std::size_t i = 0; i < labels.voxels.size(); ++i)
    labels.voxels[i] = image.counts.voxels[i] > 500 ? 1 : 0;
  const Volume<std::uint32_t> before = labels;
  test::TestContext run;
  cut_to_focus(image, labels, run.context);
  EXPECT_EQ(labels.voxels, before.voxels);
}

TEST(Segmentation, SplitsBallsOfAStack) {
  const auto labels =
      segmented(image_of_balls({24, 32, 48}, {{12, 16, 14, 8, 900}, {12, 16, 29, 8, 900}}));
  EXPECT_EQ(labels_in(labels).size(), 2u);
}

}  // namespace
}  // namespace synthoscope::fit
