// SPDX-License-Identifier: MIT
#include "simulator/pictures/projections.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// A dim noise-like pattern with one bright voxel.
Volume<std::uint16_t> with_bright(const Index3& at, std::uint16_t value) {
  Volume<std::uint16_t> volume{{9, 20, 30}};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = static_cast<std::uint16_t>(100 + (i * 7 + i / 30) % 5);
  volume.view()(at.z, at.y, at.x) = value;
  return volume;
}

Slices maxima_of(const Volume<std::uint16_t>& volume) {
  MemorySource source{volume.view()};
  synthoscope::test::TestContext run{3};
  return read_projections(source, {1, 1, 1}, run.context);
}

TEST(Projections, HoldTheLargestValueAlongEachAxis) {
  const Slices maxima = maxima_of(with_bright({2, 3, 4}, 900));
  EXPECT_EQ(maxima.yx.nearest(3.5, 4.5), 900);
  EXPECT_EQ(maxima.zx.nearest(2.5, 4.5), 900);
  EXPECT_EQ(maxima.yz.nearest(3.5, 2.5), 900);
  EXPECT_LT(maxima.yx.nearest(3.5, 5.5), 105);
}

TEST(Projections, ReserveNoMoreThanTheySay) {
  const Volume<std::uint16_t> volume = with_bright({0, 0, 0}, 1);
  MemorySource source{volume.view()};
  for (const int threads : {1, 2, 16}) {
    synthoscope::test::TestContext run{threads, projecting_bytes(volume.extent, threads)};
    EXPECT_NO_THROW(read_projections(source, {1, 1, 1}, run.context));
  }
}

TEST(BrightPoint, IsTheMiddleUnlessThatIsDark) {
  const Extent3 e{9, 20, 30};
  EXPECT_EQ(bright_point(maxima_of(with_bright({0, 0, 0}, 104)), e), (Index3{4, 10, 15}));
  // A lone object beside the middle, along one axis or along all
  EXPECT_EQ(bright_point(maxima_of(with_bright({2, 10, 15}, 900)), e), (Index3{2, 10, 15}));
  EXPECT_EQ(bright_point(maxima_of(with_bright({8, 1, 29}, 900)), e), (Index3{8, 1, 29}));
  // A brighter one does not move slices that show another of half its brightness
  Volume<std::uint16_t> two = with_bright({4, 10, 15}, 700);
  two.view()(1, 1, 1) = 900;
  EXPECT_EQ(bright_point(maxima_of(two), e), (Index3{4, 10, 15}));
}

TEST(BrightPoint, IsAVoxelOfALongAxis) {
  Volume<std::uint16_t> volume{{1, 2, 5000}};
  volume.view()(0, 0, 4321) = 9;
  const Index3 at = bright_point(maxima_of(volume), volume.extent);
  EXPECT_NEAR(static_cast<double>(at.x), 4321, 5) << "the middle of a sample of five";
  EXPECT_EQ(at.z, 0);
}

}  // namespace
}  // namespace synthoscope::simulator
