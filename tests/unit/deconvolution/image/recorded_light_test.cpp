// SPDX-License-Identifier: MIT
#include "deconvolution/image/recorded_light.hpp"
#include <gtest/gtest.h>
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

}  // namespace
}  // namespace synthoscope::deconvolution
