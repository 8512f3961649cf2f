// SPDX-License-Identifier: MIT
#include "simulator/pictures/slices.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "tests/support/checking_stream.hpp"

namespace synthoscope::simulator {
namespace {

/// Voxel (z, y, x) holds 100 z + 10 y + x.
Volume<std::uint16_t> numbered() {
  Volume<std::uint16_t> volume{{3, 4, 5}};
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 4; ++y)
      for (std::int64_t x = 0; x < 5; ++x)
        volume.view()(z, y, x) = static_cast<std::uint16_t>(100 * z + 10 * y + x);
  return volume;
}

class NumberedSlices : public testing::Test {
 protected:
  Volume<std::uint16_t> volume_ = numbered();
  MemorySource source_{volume_.view()};
  TaskPool pool_{2};
  Slices slices_ = read_slices(source_, {2, 1, 0.5}, {1, 2, 3}, pool_);
};

TEST_F(NumberedSlices, MeetAtTheGivenVoxel) {
  EXPECT_EQ(slices_.yx.nearest(2.5, 1.75), 123);
  EXPECT_EQ(slices_.zx.nearest(3, 1.75), 123);
  EXPECT_EQ(slices_.yz.nearest(2.5, 3), 123);
}

TEST_F(NumberedSlices, RunAlongTheAxesOfTheirNames) {
  EXPECT_EQ(slices_.yx.nearest(0.5, 0.25), 100);
  EXPECT_EQ(slices_.yx.nearest(3.5, 0.25), 130);
  EXPECT_EQ(slices_.yx.nearest(0.5, 2.25), 104);
  EXPECT_EQ(slices_.zx.nearest(5, 0.25), 220);
  EXPECT_EQ(slices_.yz.nearest(0.5, 5), 203);
  EXPECT_EQ(slices_.yz.nearest(3.5, 1), 33);
}

TEST_F(NumberedSlices, KnowTheirWidthInMicrometres) {
  EXPECT_DOUBLE_EQ(slices_.yx.width_um(), 2.5);
  EXPECT_DOUBLE_EQ(slices_.yz.width_um(), 6);
}

TEST_F(NumberedSlices, AreLinearBetweenVoxelCentresAndHoldTheirEdges) {
  EXPECT_DOUBLE_EQ(slices_.yx.smooth(0.5, 0.25, 0.01), 100);
  EXPECT_DOUBLE_EQ(slices_.yx.smooth(1.0, 0.25, 1e-9), 105);
  EXPECT_NEAR(slices_.yx.smooth(1.0, 0.75, 1e-9), 106, 1e-6);
  EXPECT_DOUBLE_EQ(slices_.yx.smooth(-5, -5, 0.01), 100);
  EXPECT_EQ(slices_.yx.nearest(99, 99), 134);
}

TEST_F(NumberedSlices, AverageWhatOnePixelOfThePictureCovers) {
  // A square that covers y 0 to 4 and more than all x: the mean over rows and held edges
  EXPECT_NEAR(slices_.yx.smooth(2, 1.25, 2), 117, 1e-9);
}

TEST_F(NumberedSlices, QuantilesAreOfAllThreeTogether) {
  EXPECT_EQ(quantile_of(slices_, 0), 3);
  EXPECT_EQ(quantile_of(slices_, 1), 233);
}

TEST(SlicesOfALargeVolume, TakeTheMiddleVoxelOfEveryFew) {
  // 3000 columns: every third; voxel x holds x
  Volume<float> volume{{1, 2, 3000}};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = static_cast<float>(i % 3000);
  MemorySource source{volume.view()};
  TaskPool pool{2};
  const Slices slices = read_slices(source, {1, 1, 0.5}, {0, 1, 7}, pool);
  EXPECT_EQ(slices.yx.columns, 1000);
  EXPECT_EQ(slices.yx.rows, 2);
  EXPECT_DOUBLE_EQ(slices.yx.width_um(), 1500);
  EXPECT_EQ(slices.yx.nearest(0.5, 0), 1);
  EXPECT_EQ(slices.zx.nearest(0.5, 1499), 2998);
  EXPECT_EQ(slices.yz.nearest(0.5, 0.5), 7);
  EXPECT_EQ(slices_bytes(volume.extent), (2 * 1000 + 1000 + 2) * 4);
  EXPECT_EQ(slices_reading_bytes(volume.extent, 2), 2 * (2 * 3000 * 8)) << "both rows at once";
}

TEST(SlicesOfPackedChunks, AreReadInFewPieces) {
  const Volume<float> volume{{100, 200, 300}};
  MemorySource voxels{volume.view()};
  test::CountingSource source{voxels};
  TaskPool pool{2};
  static_cast<void>(read_slices(source, {1, 1, 1}, {50, 100, 150}, pool));
  EXPECT_LE(source.reads(), 4 + 2 + 2) << "of 64 rows or planes at most";
}

TEST(SlicesOfALongVolume, ReadRowsWithinFewBytes) {
  EXPECT_LE(slices_reading_bytes({100, 5000, 5000}, 1), 1 << 18);
  EXPECT_EQ(slices_reading_bytes({1, 1, 1 << 20}, 3), 3 * (std::int64_t{8} << 20)) << "one row";
}

}  // namespace
}  // namespace synthoscope::simulator
