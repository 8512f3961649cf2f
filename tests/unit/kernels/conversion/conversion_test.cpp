// SPDX-License-Identifier: MIT
#include "kernels/conversion/conversion.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::kernels {
namespace {

/// Converts the whole of `image`.
template <class To, class From>
Volume<To> converted(const Volume<From>& image, StoredCounts& counts) {
  const auto operation = conversion({{0, 0, 0}, image.extent}, pixel_type_of<To>(), image.extent);
  Volume<To> result{image.extent};
  const VoxelView out{result.view()};
  test::TestContext here;
  operation->apply(whole_window(ConstVoxelView{image.view()}), {{0, 0, 0}, image.extent}, {&out, 1},
                   here.context.pool);
  counts = operation->stored_counts();
  return result;
}

TEST(Conversion, KeepsEveryBitOfTheSameType) {
  Volume<double> image{{1, 1, 4}};
  image.voxels = {0.1, -0.0, 1e300, 5e-324};
  StoredCounts counts;
  EXPECT_EQ(converted<double>(image, counts).voxels, image.voxels);
  EXPECT_EQ(counts.clipped + counts.non_finite, 0);
}

TEST(Conversion, RoundsAndClipsAndCounts) {
  Volume<double> image{{1, 1, 7}};
  image.voxels = {0.5, 1.5, 254.4999, 255.5, -0.6, NAN, INFINITY};
  StoredCounts counts;
  EXPECT_EQ(converted<std::uint8_t>(image, counts).voxels,
            (std::vector<std::uint8_t>{0, 2, 254, 255, 0, 0, 255}));
  EXPECT_EQ(counts.clipped, 4);
  EXPECT_EQ(counts.non_finite, 2);
}

TEST(Conversion, HoldsWholeNumbersOfThirtyTwoBitsInDoubles) {
  Volume<std::uint32_t> image{{1, 1, 2}};
  image.voxels = {4294967295U, 4294967294U};
  StoredCounts counts;
  EXPECT_EQ(converted<double>(image, counts).voxels, (std::vector{4294967295.0, 4294967294.0}));
  EXPECT_EQ(converted<std::int32_t>(image, counts).voxels,
            (std::vector<std::int32_t>(2, std::numeric_limits<std::int32_t>::max())));
  EXPECT_EQ(counts.clipped, 2);
}

TEST(Conversion, TakesAPart) {
  Volume<std::uint16_t> image{{3, 4, 5}};
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    image.voxels[i] = static_cast<std::uint16_t>(i);
  const Box3 part{{1, 2, 3}, {2, 1, 2}};
  const auto operation = conversion(part, PixelType::uint16, image.extent);
  EXPECT_EQ(operation->extent(), part.size);
  Volume<std::uint16_t> result{part.size};
  const VoxelView out{result.view()};
  test::TestContext here;
  operation->apply(whole_window(ConstVoxelView{std::as_const(image).view()}),
                   {{0, 0, 0}, part.size}, {&out, 1}, here.context.pool);
  EXPECT_EQ(result.voxels, (std::vector<std::uint16_t>{33, 34, 53, 54}));
}

TEST(Conversion, RefusesAPartThatIsNotInside) {
  for (const Box3& part : {Box3{{0, 0, 0}, {1, 1, 6}}, Box3{{-1, 0, 0}, {1, 1, 1}},
                           Box3{{0, 0, 0}, {0, 1, 1}}, Box3{{0, 5, 0}, {1, 1, 1}}})
    test::expect_failure<InvalidSpec>(
        [&] {
          static_cast<void>(conversion(part, PixelType::uint8, {3, 4, 5}));
        },
        {"not inside the image of 3x4x5"});
}

}  // namespace
}  // namespace synthoscope::kernels
