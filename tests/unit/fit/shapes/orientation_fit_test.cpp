// SPDX-License-Identifier: MIT
#include "fit/shapes/orientation_fit.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::fit {
namespace {

using simulator::Orientation, simulator::Vector3;

/// Long objects in a stack with these directions of their long axes.
ObjectSets stack_of(const std::vector<Vector3>& axes) {
  LabelledObjects set{"", {{50, 100, 100}, {1, 1, 1}}, {}};
  for (const Vector3& axis : axes) {
    LabelledObject object;
    object.principal_um = {2, 2, 4};
    object.long_axis = axis;
    set.objects.push_back(object);
  }
  return {set};
}

Vector3 direction(double z, double degrees) {
  const double across = std::sqrt(1 - z * z), angle = degrees * simulator::kPi / 180;
  return {z, across * std::sin(angle), across * std::cos(angle)};
}

/// As many directions, evenly around z, with |z| evenly from 0 to `most_z`.
std::vector<Vector3> evenly(int count, double most_z) {
  std::vector<Vector3> axes;
  for (int i = 0; i < count; ++i)
    axes.push_back(direction(most_z * (i + 0.5) / count, 360.0 * 7 * i / count));
  return axes;
}

TEST(Orientation, OfAxesInThePlaneIsFlat) {
  EXPECT_EQ(told_orientation(axis_directions(stack_of(evenly(20, 0.2)))), Orientation::flat);
}

TEST(Orientation, OfAxesInAnyDirectionIsRandom) {
  EXPECT_EQ(told_orientation(axis_directions(stack_of(evenly(20, 1)))), Orientation::random);
}

TEST(Orientation, IsNotToldByUprightOrFewOrRoundObjects) {
  EXPECT_FALSE(
      told_orientation(axis_directions(stack_of(std::vector<Vector3>(20, direction(0.98, 0))))));
  EXPECT_FALSE(told_orientation(axis_directions(stack_of(evenly(4, 1)))));
  ObjectSets round = stack_of(evenly(20, 1));
  for (LabelledObject& object : round.front().objects) object.principal_um = {2, 4, 4.2};
  EXPECT_EQ(axis_directions(round).objects, 0u);
}

TEST(AxisDirections, OfAlignedObjectsHaveTheirAngle) {
  // A long axis and its opposite are the same: 170 and -10 degrees
  const AxisDirections found =
      axis_directions(stack_of({direction(0, 170), direction(0, -10), direction(0, 170)}));
  EXPECT_NEAR(found.alignment, 1, 1e-12);
  EXPECT_NEAR(found.degrees, -10, 1e-9);
  EXPECT_EQ(found.upright, 0);
}

TEST(AxisDirections, OfPerpendicularObjectsHaveNone) {
  EXPECT_NEAR(axis_directions(stack_of({direction(0, 20), direction(0, 110)})).alignment, 0, 1e-12);
}

}  // namespace
}  // namespace synthoscope::fit
