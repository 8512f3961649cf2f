// SPDX-License-Identifier: MIT
#include "fit/objects/segment.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <set>
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

TEST(Segmentation, SplitsBallsOfAStack) {
  const auto labels =
      segmented(image_of_balls({24, 32, 48}, {{12, 16, 14, 8, 900}, {12, 16, 29, 8, 900}}));
  EXPECT_EQ(labels_in(labels).size(), 2u);
}

}  // namespace
}  // namespace synthoscope::fit
