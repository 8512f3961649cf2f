// SPDX-License-Identifier: MIT
#include "textures/images/grey_image.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "imageio/small/png_preview.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::textures {
namespace {

std::filesystem::path written(const test::TemporaryFolder& folder, const Volume<float>& voxels) {
  imageio::ImageSpec spec;
  spec.extent = voxels.extent;
  spec.type = PixelType::float32;
  const auto file = imageio::create_image(folder / "stack.tif", spec);
  const Extent3 one{1, voxels.extent.y, voxels.extent.x};
  for (std::int64_t z = 0; z < voxels.extent.z; ++z)
    file->write(plane(voxels.extent, z),
                ConstVoxelView{HostView3<const float>{voxels.view().row(z, 0), one}});
  file->close();
  return folder / "stack.tif";
}

TEST(GreyImage, ColourBecomesItsLuminance) {
  const test::TemporaryFolder folder;
  const std::vector<std::uint8_t> pixels{255, 0, 0, 0, 255, 0, 0, 0, 255, 100, 100, 100};
  imageio::write_png(folder / "a.png", 2, 2, pixels, false);
  test::TestContext t;
  const auto image = open_grey(folder / "a.png", {}, Planes::all, t.context);
  EXPECT_EQ(image.info.type, PixelType::float32);
  EXPECT_EQ(image.info.channels, 1);
  Volume<float> grey{image.info.extent};
  image.source->read(whole(grey.extent), VoxelView{grey.view()});
  const float expected[] = {54.213f, 182.376f, 18.411f, 100};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(grey.voxels[i], expected[i], 1e-4);

  // A channel that is chosen stays what it is
  imageio::OpenOptions options;
  options.channel = 1;
  EXPECT_EQ(open_grey(folder / "a.png", options, Planes::all, t.context).info.type,
            PixelType::uint8);
}

TEST(GreyImage, TheMiddlePlaneIsAStackOfOne) {
  const test::TemporaryFolder folder;
  Volume<float> stack{{5, 2, 3}};
  for (std::size_t i = 0; i < stack.voxels.size(); ++i) stack.voxels[i] = static_cast<float>(i);
  const auto path = written(folder, stack);
  test::TestContext t;
  const auto image = open_grey(path, {}, Planes::middle, t.context);
  EXPECT_EQ(image.info.extent, (Extent3{1, 2, 3}));
  Volume<float> part{{1, 1, 2}};
  image.source->read({{0, 1, 1}, part.extent}, VoxelView{part.view()});
  EXPECT_EQ(part.voxels, (std::vector<float>{16, 17}));
  EXPECT_NEAR(deviation_of(*image.source, image.info, t.context), std::sqrt(35.0 / 12), 1e-9);
}

TEST(GreyImage, WhatRoundingLeavesIsNoDeviation) {
  const test::TemporaryFolder folder;
  Volume<double> stack{{3, 50, 70}};
  std::fill(stack.voxels.begin(), stack.voxels.end(), 0.1);
  MemorySource alike{ConstVoxelView{stack.view()}};
  test::TestContext t;
  EXPECT_EQ(deviation_of(alike, {}, t.context), 0);
  stack.voxels[7] += 1e-9;
  EXPECT_NEAR(deviation_of(alike, {}, t.context), 1e-9 / std::sqrt(10500.0), 1e-13);
}

TEST(GreyImage, VoxelsThatAreNoNumbersAreRefused) {
  const test::TemporaryFolder folder;
  Volume<float> stack{{1, 2, 3}};
  stack.voxels[4] = std::numeric_limits<float>::quiet_NaN();
  const auto path = written(folder, stack);
  test::TestContext t;
  const auto image = open_grey(path, {}, Planes::all, t.context);
  test::expect_failure<InvalidInput>([&] { deviation_of(*image.source, image.info, t.context); },
                                     {"stack.tif", "1 of its voxels", "NaN"});
}

}  // namespace
}  // namespace synthoscope::textures
