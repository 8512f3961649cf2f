// SPDX-License-Identifier: MIT
#include "imageio/new_output.hpp"
#include <gtest/gtest.h>
#include "core/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::imageio {
namespace {

TEST(RequireApart, KnowsBothFilesOfBigDataViewer) {
  const auto require = [](const char* output, FileFormat format) {
    require_apart(files_of_new(output, format), {"in.h5", "series.xml"});
  };
  EXPECT_NO_THROW(require("series.h5", FileFormat::hdf5));
  EXPECT_NO_THROW(require("other.h5", FileFormat::bdv));
  test::expect_failure<InvalidSpec>([&] { require("series.h5", FileFormat::bdv); },
                                    {"write series.xml", "it is the input series.xml itself"});
}

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
  EXPECT_NE(log.warnings[0].find("are 0.1 um along x, those of kernel psf.tif are 0.2 um"),
            std::string::npos)
      << log.warnings[0];
}

}  // namespace
}  // namespace synthoscope::imageio
