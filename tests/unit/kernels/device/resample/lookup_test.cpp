// SPDX-License-Identifier: MIT
#include "kernels/device/resample/lookup.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <utility>

namespace synthoscope::kernels::device {
namespace {

Affine in_plane(std::array<double, 6> a) {
  return {{{{1, 0, 0, 0}, {0, a[0], a[1], a[2]}, {0, a[3], a[4], a[5]}}}};
}

Affine turn(double degrees) {
  const double angle = degrees * std::acos(-1) / 180;
  return in_plane({std::cos(angle), std::sin(angle), 0, -std::sin(angle), std::cos(angle), 0});
}

TEST(LookupShape, IsNarrowWhereRowsOfTheResultCrossManyOfTheImage) {
  const Extent3 box{1, 8192, 8192};
  const auto wide = [&](double degrees) {
    return lookup_shape(AffineMap{turn(degrees)}, Interpolation::linear, box, 132).wide;
  };
  EXPECT_EQ(wide(0), 32);
  EXPECT_EQ(wide(10), 32);
  EXPECT_LT(wide(45), 32);
  EXPECT_EQ(wide(90), 8);
}

TEST(LookupShape, GivesEveryMultiprocessorOfADeviceSomeBlocks) {
  for (const std::int64_t side : {64, 512, 8192}) {
    const LookupShape shape =
        lookup_shape(AffineMap{turn(0)}, Interpolation::linear, {1, side, side}, 132);
    const std::int64_t blocks = ((side + rows_of(shape) - 1) / rows_of(shape)) *
                                ((side + columns_of(shape) - 1) / columns_of(shape));
    EXPECT_TRUE(shape.rows == 1 || blocks >= std::int64_t{8} * 132) << side;
  }
}

TEST(LookupShape, CutsColumnsIntoStripsOfEqualLengths) {
  for (const auto& [height, rows] : {std::pair{154, 7}, {64, 8}, {65, 5}, {8 * 64 + 1, 8}, {5, 1}})
    EXPECT_EQ(lookup_shape(AffineMap{turn(0)}, Interpolation::linear, {512, height, 512}, 132).rows,
              rows)
        << height;
}

struct Places {
  std::int64_t first, last;  ///< positions that are safe
};
Places places_of(const LookupAxis& axis) {
  const auto from = static_cast<std::int64_t>(kWholeRounder - axis.rounder);
  return {from, from + static_cast<std::int64_t>(axis.safe) - 1};
}

TEST(LookupAxes, AreSafeWhereAllThatCountsIsHeld) {
  const AffineMap map{turn(10)};
  const LookedUp image{{1, 40, 50},           {0, 0, 0},    {1, 40, 50}, {{0, 5, 7}, {1, 20, 30}},
                       Interpolation::linear, {true, false}};
  const auto linear = lookup_axes(map, image, {{0, 0, 0}, {1, 20, 20}});
  // The voxel at whole_below(c) and the one behind it
  EXPECT_EQ(places_of(linear[1]).first, 5);
  EXPECT_EQ(places_of(linear[1]).last, 5 + 20 - 2);
  EXPECT_EQ(places_of(linear[2]).first, 7);
  EXPECT_EQ(places_of(linear[2]).last, 7 + 30 - 2);
  EXPECT_EQ(linear[0].safe, 1);
  LookedUp nearest = image;
  nearest.how = Interpolation::nearest;
  nearest.held = whole(image.image);
  const auto near = lookup_axes(map, nearest, {{0, 0, 0}, {1, 20, 20}});
  EXPECT_EQ(places_of(near[1]).first, 1);
  EXPECT_EQ(places_of(near[1]).last, 38);
  EXPECT_EQ(near[1].first, 1);
  EXPECT_EQ(near[0].safe, 1);  // coordinates are whole
}

TEST(LookupAxes, AreNotSafeWhereThereAreTooFewVoxelsOrCoordinatesAreHuge) {
  const LookedUp image{
      {1, 3, 50},   {0, 0, 0}, {1, 3, 50}, {{0, 0, 0}, {1, 3, 50}}, Interpolation::lanczos,
      {true, false}};
  EXPECT_EQ(lookup_axes(AffineMap{turn(10)}, image, {{0, 0, 0}, {1, 3, 3}})[1].safe, 0);
  const AffineMap huge{in_plane({1, 0, 0, 0, 1, 0x1p31})};
  for (const LookupAxis& axis : lookup_axes(huge, image, {{0, 0, 0}, {1, 3, 3}}))
    EXPECT_EQ(axis.safe, 0);
}

TEST(Along, IsWhatCoordinatesDependOn) {
  const Affine affine{{{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
  EXPECT_EQ(along_of(affine, 0), Along::planes);
  EXPECT_EQ(along_of(affine, 1), Along::rows);
  EXPECT_EQ(along_of(turn(10), 1), Along::columns);
}

}  // namespace
}  // namespace synthoscope::kernels::device
