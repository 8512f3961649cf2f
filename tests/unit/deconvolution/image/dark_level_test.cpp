// SPDX-License-Identifier: MIT
#include "deconvolution/image/dark_level.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

double level_of(const Volume<float>& image) {
  MemorySource source{ConstVoxelView{image.view()}};
  synthoscope::test::TestContext test;
  return dark_level(source, test.context);
}

/// Even noise of a standard deviation of 23 around 200.
Volume<float> noisy_planes(const Extent3& extent) {
  return test::in_single(test::noise(extent, 1, 160, 240));
}

/// Adds light to the rows from 0 of all planes.
void add_object(Volume<float>& image, std::int64_t rows, float light) {
  const Extent3& e = image.extent;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) image.view()(z, y, x) += light;
}

// The mean of a block of 16 x 16 has a noise of 23 / 16 = 1.4
TEST(DarkLevel, IsTheMeanBesideObjects) {
  struct Row {
    std::int64_t rows;  // of 160, with an object
    float light;
    double within;
  };
  for (const Row& row : {Row{0, 0, 0.3}, {120, 1000, 0.5}, {144, 1000, 0.7}, {80, 2, 1}}) {
    Volume<float> image = noisy_planes({8, 160, 160});
    add_object(image, row.rows, row.light);
    EXPECT_NEAR(level_of(image), 200, row.within) << row.rows << ' ' << row.light;
  }
}

TEST(DarkLevel, DoesNotFollowABorderWithoutLight) {
  Volume<float> image = noisy_planes({8, 320, 320});
  for (std::int64_t y = 0; y < 16; ++y)
    for (std::int64_t x = 0; x < 48; ++x) image.view()(0, y, x) = 0;
  EXPECT_NEAR(level_of(image), 200, 0.3);
}

TEST(DarkLevel, OfAnImageWithoutNoiseIsItsSmallest) {
  Volume<float> image{{1, 64, 64}};
  std::fill(image.voxels.begin(), image.voxels.end(), 7.0F);
  add_object(image, 32, 100);
  EXPECT_DOUBLE_EQ(level_of(image), 7);
}

TEST(DarkLevel, OfAnImageSmallerThanABlockIsItsMeanWithinNoise) {
  Volume<float> image{{1, 2, 2}};
  image.voxels = {1, 2, 1, 2};
  EXPECT_NEAR(level_of(image), 1.5, 0.3);
}

}  // namespace
}  // namespace synthoscope::deconvolution
