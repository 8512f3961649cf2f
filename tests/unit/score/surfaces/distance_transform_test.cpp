// SPDX-License-Identifier: MIT
#include "score/surfaces/distance_transform.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace synthoscope::score {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

TEST(DistanceTransform, IsExactForVoxelsOfAnySize) {
  const Extent3 e{5, 9, 13};
  const VoxelSize pitch{0.7, 0.2, 0.3};
  std::mt19937 random{5};
  for (const unsigned rarity : {2u, 20u, 300u}) {
    std::vector<double> field(static_cast<std::size_t>(volume(e)), kFar);
    field[17] = 0;
    for (double& value : field)
      if (random() % rarity == 0) value = 0;
    const std::vector<double> marks = field;
    squared_distances(field, e, pitch);
    const auto place = [&](std::size_t i, double& z, double& y, double& x) {
      const auto at = static_cast<std::int64_t>(i);
      z = static_cast<double>(at / (e.y * e.x)) * pitch.z_um;
      y = static_cast<double>(at / e.x % e.y) * pitch.y_um;
      x = static_cast<double>(at % e.x) * pitch.x_um;
    };
    for (std::size_t i = 0; i < field.size(); ++i) {
      double nearest = kFar, z, y, x, other_z, other_y, other_x;
      place(i, z, y, x);
      for (std::size_t k = 0; k < marks.size(); ++k) {
        if (marks[k] != 0) continue;
        place(k, other_z, other_y, other_x);
        nearest = std::min(nearest, (z - other_z) * (z - other_z) + (y - other_y) * (y - other_y) +
                                        (x - other_x) * (x - other_x));
      }
      ASSERT_NEAR(field[i], nearest, 1e-12) << "voxel " << i;
    }
  }
}

TEST(DistanceTransform, WithoutAMarkIsInfinite) {
  std::vector<double> field(24, kFar);
  squared_distances(field, {2, 3, 4}, {1, 1, 1});
  EXPECT_TRUE(std::all_of(field.begin(), field.end(), [](double d) { return d == kFar; }));
}

}  // namespace
}  // namespace synthoscope::score
