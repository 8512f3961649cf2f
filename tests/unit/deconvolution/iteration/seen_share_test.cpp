// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/seen_share.hpp"
#include <gtest/gtest.h>
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"
#include "tests/unit/deconvolution/expect_share.hpp"

namespace synthoscope::deconvolution {
namespace {

TEST(SeenShare, IsTheAdjointOfOnes) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto kernel = test::weights(geometry.kernel, 1);
    MemorySource weights{ConstVoxelView{kernel.view()}};
    synthoscope::test::TestContext test;
    const SeenShare share{geometry, {&weights, 0, 1}, test.context};
    const auto ones = test::noise(geometry.field, 2, 1, 1);
    const auto expected = test::run_convolution(ones, kernel, adjoint_problem(geometry)).result;
    test::expect_share(share, expected, test.context);
  }
}

TEST(SeenShare, IsThatOfItsClassForEveryVoxel) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto kernel = test::weights(geometry.kernel, 1);
    MemorySource weights{ConstVoxelView{kernel.view()}};
    synthoscope::test::TestContext test;
    const SeenShare share{geometry, {&weights, 0, 1}, test.context};
    const ShareClasses z = share.classes(fftconv::kAlongZ), y = share.classes(fftconv::kAlongY),
                       x = share.classes(fftconv::kAlongX);
    const Extent3 e = estimate_extent(geometry);
    const auto row_of = [](std::int64_t count) {
      return std::vector<float>(static_cast<std::size_t>(count));
    };
    std::vector<float> row = row_of(e.x), of_classes = row_of(x.count);
    Extent3 met{0, 0, 0};
    for (std::int64_t i = 0; i < z.count; met.z += z.size_of(i++))
      for (std::int64_t in_z = 0; in_z < z.size_of(i); ++in_z) {
        met.y = 0;
        for (std::int64_t j = 0; j < y.count; met.y += y.size_of(j++))
          for (std::int64_t in_y = 0; in_y < y.size_of(j); ++in_y) {
            share.fill_row(z.first_of(i) + in_z, y.first_of(j) + in_y, 0, row);
            share.fill_classes(i, j, of_classes);
            met.x = 0;
            for (std::int64_t k = 0; k < x.count; ++k)
              for (std::int64_t in_x = 0; in_x < x.size_of(k); ++in_x)
                ASSERT_EQ(row[static_cast<std::size_t>(met.x++)],
                          of_classes[static_cast<std::size_t>(k)]);
          }
      }
    EXPECT_EQ(met, e);
  }
}

TEST(SeenShare, LeavesOutWhatTheFieldHardlySees) {
  Volume<double> kernel{{1, 1, 3}};
  kernel.voxels = {0.0005, 0.999, 0.0005};
  MemorySource weights{ConstVoxelView{kernel.view()}};
  synthoscope::test::TestContext test;
  const SeenShare share{{{1, 1, 4}, {1, 1, 3}, {0, 0, 1}}, {&weights, 0, 1}, test.context};
  std::vector<float> row(6);
  share.fill_row(0, 0, 0, row);
  EXPECT_EQ(row.front(), 0);
  EXPECT_EQ(row.back(), 0);
  EXPECT_NEAR(row[1], 0.9995, 1e-6);
  EXPECT_NEAR(row[2], 1, 1e-6);
}

}  // namespace
}  // namespace synthoscope::deconvolution
