// SPDX-License-Identifier: MIT
#include "simulator/truth/nearest_neighbour.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace synthoscope::simulator {
namespace {

TEST(NearestNeighbour, OfNoneAndOfOneIsUnknown) {
  EXPECT_TRUE(nearest_distances_um({}).empty());
  EXPECT_TRUE(std::isnan(nearest_distances_um({{1, 2, 3}})[0]));
}

TEST(NearestNeighbour, OfTwoPointsInOnePlaceIsZero) {
  EXPECT_EQ(nearest_distances_um({{1, 2, 3}, {1, 2, 3}}), (std::vector<double>{0, 0}));
}

TEST(NearestNeighbour, IsTheSmallestOfAllDistances) {
  std::mt19937 random{3};
  std::uniform_real_distribution<double> place{0, 10};
  std::vector<Point3> points;
  for (int i = 0; i < 300; ++i) points.push_back({place(random), place(random), place(random)});
  const std::vector<double> nearest = nearest_distances_um(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < points.size(); ++k)
      if (k != i)
        smallest = std::min(
            smallest, std::hypot(points[i].z_um - points[k].z_um, points[i].y_um - points[k].y_um,
                                 points[i].x_um - points[k].x_um));
    EXPECT_DOUBLE_EQ(nearest[i], smallest);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
