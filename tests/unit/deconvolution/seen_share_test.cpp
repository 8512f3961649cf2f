// SPDX-License-Identifier: MIT
#include "deconvolution/seen_share.hpp"
#include <gtest/gtest.h>
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

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
    const Extent3 e = expected.extent;
    std::vector<float> row(static_cast<std::size_t>(e.x));
    double sum = 0;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y) {
        share.fill_row(z, y, 0, row);
        for (std::int64_t x = 0; x < e.x; ++x) {
          const auto got = static_cast<double>(row[static_cast<std::size_t>(x)]);
          const double wanted = expected.view()(z, y, x);
          sum += got;
          if (got > 0)
            EXPECT_NEAR(got, wanted, 2e-6);
          else
            EXPECT_LT(wanted, 1.1 * SeenShare::kLeast);
        }
      }
    EXPECT_NEAR(share.sum(test.context), sum, 1e-5 * sum);
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
