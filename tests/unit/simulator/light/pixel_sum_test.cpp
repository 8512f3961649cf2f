// SPDX-License-Identifier: MIT
// pixel_sum_test.cpp — light of a finer grid is added up pixel by pixel, then finished.
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_sums.hpp"

namespace synthoscope::simulator {
namespace {

TEST(PixelSum, AddsUpTheVoxelsOfAPixelAndFinishesTheSumNotItsParts) {
  constexpr Extent3 kPixels{2, 3, 5};
  constexpr std::int64_t kFine = 3;
  const Illumination dim{{.falloff = 0.5, .flat_field = {}}, kPixels};
  ExpectedPhotons finish{4, dim};  // clips at zero, adds 4, dims the corners
  Volume<float> pixels{kPixels}, fine{{2, 9, 15}}, expected{kPixels};
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 9; ++y)
      for (std::int64_t x = 0; x < 15; ++x) {
        // Rounding leaves both signs where it is dark: whole pixels below zero, and parts of others
        const auto value = static_cast<float>((z * 131 + y * 17 + x * 7) % 23 - 6);
        fine.view()(z, y, x) = x < 3 ? -1 : value;
        expected.view()(z, y / kFine, x / kFine) += fine.view()(z, y, x);
      }
  finish.apply(whole(kPixels), expected.view(), VoxelView{expected.view()});
  ASSERT_EQ(expected.view()(0, 1, 0), static_cast<float>(4 * dim.at(1, 0)));

  TaskPool pool{2};
  MemorySink sink{pixels.view()};
  PixelSumSink sums{sink, kFine, finish, pool};
  EXPECT_EQ(sums.extent(), fine.extent);
  EXPECT_EQ(sums.accepts(), BoxOrder::planes_in_order);
  sums.write(whole(fine.extent), ConstVoxelView{HostView3<const float>{fine.view()}});
  EXPECT_EQ(pixels.voxels, expected.voxels);
}

}  // namespace
}  // namespace synthoscope::simulator
