// SPDX-License-Identifier: MIT
#include "imageio/run/new_output.hpp"
#include <gtest/gtest.h>
#include "tests/support/test_context.hpp"

namespace synthoscope::imageio {
namespace {

TEST(WarnOfPitchMismatch, LooksOnlyAtWhatBothFilesKnow) {
  ImageInfo image, kernel;
  image.path = "image.tif";
  kernel.path = "psf.tif";
  image.z_um = 0.5;
  image.y_um = image.x_um = 0.1;
  kernel.y_um = 0.1005;
  kernel.x_um = 0.2;
  test::KeepingLog log;
  warn_of_pitch_mismatch(image, kernel, log);
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("are 0.1 um along x, but voxels of kernel psf.tif are 0.2 um"),
            std::string::npos)
      << log.warnings[0];
}

}  // namespace
}  // namespace synthoscope::imageio
