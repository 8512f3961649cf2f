// SPDX-License-Identifier: MIT
#include "score/surfaces/surface_distance.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <vector>

namespace synthoscope::score {
namespace {

/// A block of voxels inside a box.
std::vector<std::uint8_t> block(const Extent3& e, const Index3& low, const Index3& high) {
  std::vector<std::uint8_t> voxels;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        voxels.push_back(z >= low.z && z <= high.z && y >= low.y && y <= high.y && x >= low.x &&
                         x <= high.x);
  return voxels;
}

TEST(SurfaceDistance, OfAnObjectToItselfIsZero) {
  const Extent3 e{6, 7, 8};
  const auto a = block(e, {1, 1, 1}, {4, 5, 6});
  const auto found = surface_distance({e, a, a}, {0.5, 0.2, 0.2}, 0);
  EXPECT_EQ(found.hausdorff_um, 0);
  EXPECT_EQ(found.hausdorff95_um, 0);
  EXPECT_EQ(found.mean_um, 0);
  EXPECT_EQ(found.boundary_f, 1);
}

TEST(SurfaceDistance, OfAShiftedPlaneIsTheShift) {
  const Extent3 e{1, 1, 20};
  const auto a = block(e, {0, 0, 2}, {0, 0, 2}), b = block(e, {0, 0, 7}, {0, 0, 7});
  const auto found = surface_distance({e, a, b}, {1, 1, 0.3}, 1.5);
  EXPECT_NEAR(found.hausdorff_um, 1.5, 1e-12);
  EXPECT_NEAR(found.mean_um, 1.5, 1e-12);
  EXPECT_EQ(found.boundary_f, 1) << "the tolerance belongs to it";
  EXPECT_EQ(surface_distance({e, a, b}, {1, 1, 0.3}, 1.49).boundary_f, 0);
}

// A square of 5x5 inside one of 9x9: 16 and 32 pixels of border. Each inner pixel is 2 away from
// the outer square. The outer pixels are 2 away, but those near corners: 4 at sqrt(8), 8 at
// sqrt(5).
TEST(SurfaceDistance, OfTwoSquaresIsThatOfTheirBorders) {
  const Extent3 e{1, 9, 9};
  const auto large = block(e, {0, 0, 0}, {0, 8, 8}), small = block(e, {0, 2, 2}, {0, 6, 6});
  const auto found = surface_distance({e, large, small}, {1, 1, 1}, 2);
  EXPECT_NEAR(found.hausdorff_um, std::sqrt(8), 1e-12);
  const double of_large = (20 * 2 + 8 * std::sqrt(5) + 4 * std::sqrt(8)) / 32;
  EXPECT_NEAR(found.mean_um, (of_large + 2) / 2, 1e-12);
  const double recall = 20.0 / 32, precision = 1;
  EXPECT_NEAR(found.boundary_f, 2 * recall * precision / (recall + precision), 1e-12);
  // The 48 sorted distances end in 8 sqrt(5) and 4 sqrt(8): place 44.65 of 0 ... 47 is a sqrt(8)
  EXPECT_NEAR(found.hausdorff95_um, std::sqrt(8), 1e-12);
}

TEST(SurfaceDistance, IsSymmetric) {
  const Extent3 e{5, 9, 9};
  const auto a = block(e, {0, 0, 1}, {3, 8, 7}), b = block(e, {1, 2, 2}, {4, 7, 8});
  const auto forth = surface_distance({e, a, b}, {0.9, 0.3, 0.2}, 0.3);
  const auto back = surface_distance({e, b, a}, {0.9, 0.3, 0.2}, 0.3);
  EXPECT_DOUBLE_EQ(forth.hausdorff_um, back.hausdorff_um);
  EXPECT_DOUBLE_EQ(forth.hausdorff95_um, back.hausdorff95_um);
  EXPECT_DOUBLE_EQ(forth.mean_um, back.mean_um);
  EXPECT_DOUBLE_EQ(forth.boundary_f, back.boundary_f);
}

}  // namespace
}  // namespace synthoscope::score
