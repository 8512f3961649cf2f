// SPDX-License-Identifier: MIT
#include "deconvolution/image/recorded_light.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "deconvolution/image/dark_level.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

TEST(RecordedLight, CountsElectronsAboveTheOffset) {
  const CameraResponse camera{
      .offset = 100, .gain = 4, .per_photon = 0.5, .read_noise = 2, .dark = 1};
  RecordedLight light{camera, 1000};
  Volume<float> levels{{1, 1, 4}}, electrons{{1, 1, 4}};
  levels.voxels = {100, 140, 60, 1000};
  light.apply(whole(levels.extent), HostView3<const float>{levels.view()},
              VoxelView{electrons.view()});
  // Noise of reading, of the variance 4, is light as well
  EXPECT_EQ(electrons.voxels, (std::vector<float>{4, 14, 0, 229}));
  EXPECT_EQ(light.unusable().negative, 1);
  EXPECT_EQ(light.unusable().saturated, 1);
}

TEST(RecordedLight, HasABackgroundOfDarkCurrentAtLeast) {
  const CameraResponse camera{
      .offset = 100, .gain = 4, .per_photon = 1, .read_noise = 2, .dark = 3};
  EXPECT_DOUBLE_EQ(background_light(camera, 100), 3 + 4);
  EXPECT_DOUBLE_EQ(background_light(camera, 140), 10 + 4);
  EXPECT_DOUBLE_EQ(background_light({}, 25), 25);
}

TEST(DarkLevel, IsThatOfTheDarkestBlocks) {
  // Noise of 40 around 200, and an object over three quarters of the image
  auto image = test::in_single(test::noise({3, 160, 160}, 1, 160, 240));
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 120; ++y)
      for (std::int64_t x = 0; x < 160; ++x) image.view()(z, y, x) += 1000;
  MemorySource source{ConstVoxelView{std::as_const(image).view()}};
  synthoscope::test::TestContext test;
  EXPECT_NEAR(dark_level(source, test.context), 200, 5);
}

TEST(DarkLevel, OfAnImageSmallerThanABlockIsItsMean) {
  Volume<float> image{{1, 2, 2}};
  image.voxels = {1, 2, 3, 4};
  MemorySource source{ConstVoxelView{std::as_const(image).view()}};
  synthoscope::test::TestContext test;
  EXPECT_DOUBLE_EQ(dark_level(source, test.context), 2.5);
}

}  // namespace
}  // namespace synthoscope::deconvolution
