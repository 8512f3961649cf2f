// SPDX-License-Identifier: MIT
// Real images of other programs: SYNTHOSCOPE_TEST_DATA names their folder.
#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include "imageio/image/statistics.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::imageio {
namespace {

/// Size, type, compression and figures as numpy gives them for the voxels that tifffile reads.
struct RealFile {
  const char* name;
  const char* file;
  Extent3 extent;
  PixelType type;
  const char* compression;
  double min, max, mean;
};

constexpr RealFile kRealFiles[] = {
    {"bead_64x64x64_f32",
     "bead_64x64x64_f32.tif",
     {64, 64, 64},
     PixelType::float32,
     "none",
     203.625,
     3682.375,
     339.250253200531},
    {"bead_psf_64x64x64_f32",
     "bead_psf_64x64x64_f32.tif",
     {64, 64, 64},
     PixelType::float32,
     "none",
     0.0,
     13829.875,
     7.620736598968506},
    {"beads_3d",
     "beads_3d.tif",
     {41, 150, 150},
     PixelType::uint8,
     "none",
     1.0,
     156.0,
     1.565051490514905},
    {"cells_actin_2d",
     "cells_actin_2d.tif",
     {1, 680, 1100},
     PixelType::float32,
     "none",
     137.0,
     43479.0,
     1928.0417593582888},
    {"cells_mitochondria_2d",
     "cells_mitochondria_2d.tif",
     {1, 680, 1100},
     PixelType::float32,
     "none",
     130.0,
     5039.0,
     354.5951296791444},
    {"cells_nuclei_2d",
     "cells_nuclei_2d.tif",
     {1, 680, 1100},
     PixelType::float32,
     "none",
     210.0,
     6193.0,
     650.1930414438502},
    {"dapi_40x201x101_u16",
     "dapi_40x201x101_u16.tif",
     {40, 201, 101},
     PixelType::uint16,
     "none",
     1758.0,
     21980.0,
     6788.408684301266},
    {"embryo_labels_3d",
     "embryo_labels_3d.tif",
     {103, 256, 256},
     PixelType::int32,
     "deflate",
     0.0,
     37.0,
     0.23259609185376215},
    {"maize_2d",
     "maize_2d.tif",
     {1, 640, 639},
     PixelType::uint8,
     "none",
     0.0,
     255.0,
     40.45211023082942},
    {"membranes_2d",
     "membranes_2d.tif",
     {1, 256, 256},
     PixelType::uint16,
     "deflate",
     547.0,
     32145.0,
     2725.991973876953},
    {"nuclei_bbbc007_1",
     "nuclei_bbbc007_1.tif",
     {1, 104, 102},
     PixelType::uint8,
     "deflate",
     1.0,
     160.0,
     7.644136500754148},
    {"nuclei_bbbc007_1_masks",
     "nuclei_bbbc007_1_masks.tif",
     {1, 104, 102},
     PixelType::float64,
     "none",
     0.0,
     2.0,
     0.05486425339366516},
    {"nuclei_bbbc007_2",
     "nuclei_bbbc007_2.tif",
     {1, 107, 104},
     PixelType::uint8,
     "deflate",
     1.0,
     174.0,
     9.04951473759885},
    {"nuclei_bbbc007_2_masks",
     "nuclei_bbbc007_2_masks.tif",
     {1, 107, 104},
     PixelType::float64,
     "none",
     0.0,
     2.0,
     0.07377785765636233},
    {"psf_measured_61x128x128_u16",
     "psf_measured_61x128x128_u16.tif",
     {61, 128, 128},
     PixelType::uint16,
     "none",
     59.0,
     7792.0,
     143.09844670530225},
};

class RealImage : public testing::TestWithParam<RealFile> {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("SYNTHOSCOPE_TEST_DATA");
    if (!folder) GTEST_SKIP() << "SYNTHOSCOPE_TEST_DATA names no folder";
    path_ = std::filesystem::path{folder} / GetParam().file;
  }
  std::filesystem::path path_;
};

TEST_P(RealImage, IsReadAsOtherProgramsReadIt) {
  const RealFile& c = GetParam();
  const auto image = open_image(path_);
  EXPECT_EQ(image.info.extent, c.extent);
  EXPECT_EQ(image.info.type, c.type);
  EXPECT_EQ(image.info.compression, c.compression);
  test::TestContext test;
  const auto figures = statistics(*image.source, test.context);
  EXPECT_EQ(figures.min, c.min);
  EXPECT_EQ(figures.max, c.max);
  EXPECT_NEAR(figures.mean, c.mean, 1e-9 * std::abs(c.mean));
}

INSTANTIATE_TEST_SUITE_P(Open, RealImage, testing::ValuesIn(kRealFiles), test::kCaseName);

TEST(RealVoxelSize, OfAnImagejStackIsInMicrometres) {
  const char* folder = std::getenv("SYNTHOSCOPE_TEST_DATA");
  if (!folder) GTEST_SKIP() << "SYNTHOSCOPE_TEST_DATA names no folder";
  const auto info = inspect(std::filesystem::path{folder} / "beads_3d.tif");
  EXPECT_EQ(info.z_um, 0.125);
  EXPECT_DOUBLE_EQ(info.x_um.value(), 1 / 44.460534);
  EXPECT_DOUBLE_EQ(info.y_um.value(), 1 / 44.460534);
}

}  // namespace
}  // namespace synthoscope::imageio
