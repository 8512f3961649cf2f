// SPDX-License-Identifier: MIT
#include "fit/objects/measure_objects.hpp"
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <functional>
#include "fit/objects/object_form.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

using simulator::Vector3;

/// An image whose label at a voxel, of position `um` of its centre, is `label_of(um)`.
LabelledImage image_of(const Extent3& extent, const VoxelSize& pitch,
                       const std::function<std::uint32_t(const Vector3&)>& label_of) {
  LabelledImage image;
  image.grid = {extent, pitch};
  image.labels = Volume<std::uint32_t>{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        image.labels.view()(z, y, x) = label_of({(static_cast<double>(z) + 0.5) * pitch.z_um,
                                                 (static_cast<double>(y) + 0.5) * pitch.y_um,
                                                 (static_cast<double>(x) + 0.5) * pitch.x_um});
  return image;
}

/// A plane from rows of digits.
LabelledImage plane_of(const std::vector<std::string>& rows) {
  const auto size = [](const auto& all) { return static_cast<std::int64_t>(all.size()); };
  return image_of({1, size(rows), size(rows.front())}, {1, 1, 1}, [&](const Vector3& um) {
    return static_cast<std::uint32_t>(
        rows[static_cast<std::size_t>(um[1])][static_cast<std::size_t>(um[2])] - '0');
  });
}

LabelledObjects measured(const LabelledImage& image, int threads = 1) {
  test::TestContext run{threads};
  return measure_objects(image, run.context);
}

bool in_ellipsoid(const Vector3& um, const Vector3& centre, const Vector3& axes) {
  double square = 0;
  for (std::size_t a = 0; a < 3; ++a) square += std::pow((um[a] - centre[a]) / axes[a], 2);
  return square <= 1;
}

TEST(MeasuredObjects, OfASymmetricFormHaveNoSkewness) {
  const LabelledObjects found = measured(plane_of({"0000000", "0077000", "0777700", "0000000"}));
  EXPECT_GT(found.objects[0].skewness, 0.1);
  const LabelledObjects square = measured(plane_of({"00000", "07770", "07770", "00000"}));
  EXPECT_NEAR(square.objects[0].skewness, 0, 1e-12);
}

TEST(MeasuredObjects, OfThreePixelsHaveASkewnessComputedByHand) {
  // Pixels of a right angle: y, x = (0, 0), (1, 0), (0, 1)
  const LabelledObjects found = measured(plane_of({"0000", "0770", "0700", "0000"}));
  // Central moments are c = 2/9 and -1/9, and 1/12 is added to those along each axis. Along the
  // diagonals u (sum) and v (difference), both over the root of 2, variances are 1/9 and 1/3
  const double root = std::sqrt(2.0), added = 1.0 / 12;
  const std::vector<std::array<double, 2>> points{
      {-2 / (3 * root), 0}, {1 / (3 * root), 1 / root}, {1 / (3 * root), -1 / root}};
  const double su = std::sqrt(1.0 / 9 + added), sv = std::sqrt(1.0 / 3 + added);
  double uuu = 0, uvv = 0;
  for (const auto& [u, v] : points) {
    uuu += u * u * u / (su * su * su) / 3;
    uvv += u * v * v / (su * sv * sv) / 3;
  }
  EXPECT_NEAR(found.objects[0].skewness, std::sqrt(uuu * uuu + 3 * uvv * uvv), 1e-12);
}

TEST(MeasuredObjects, KnowTheDirectionOfTheirLongAxis) {
  const LabelledObjects flat = measured(plane_of({"00000", "07000", "00700", "00070"}));
  EXPECT_NEAR(std::abs(flat.objects[0].long_axis[1] + flat.objects[0].long_axis[2]), std::sqrt(2.0),
              1e-12);
  const LabelledObjects rod = measured(image_of({9, 9, 9}, {1, 1, 1}, [](const Vector3& um) {
    return in_ellipsoid(um, {4.5, 4.5, 4.5}, {4, 2, 2}) ? 1u : 0u;
  }));
  EXPECT_NEAR(std::abs(rod.objects[0].long_axis[0]), 1, 1e-12);
}

TEST(MeasuredObjects, OfARectangleAreCountedByHand) {
  const LabelledObjects found =
      measured(plane_of({"00000000", "00777000", "00777000", "00000000"}));
  ASSERT_EQ(found.objects.size(), 1u);
  const LabelledObject& object = found.objects[0];
  EXPECT_EQ(object.label, 7u);
  EXPECT_EQ(object.size, 6);
  EXPECT_EQ(object.centre_um, (Vector3{0.5, 2, 3.5}));
  EXPECT_NEAR(object.radius_um, std::sqrt(6 / 3.141592653589793), 1e-12);
  // Variances of {0, 1} and {0, 1, 2} are 1/4 and 2/3; of a disc r^2 / 4
  EXPECT_NEAR(object.short_um, 2 * std::sqrt(0.25), 1e-12);
  EXPECT_NEAR(object.long_um, 2 * std::sqrt(2.0 / 3), 1e-12);
  EXPECT_FALSE(object.is_cut());
  EXPECT_TRUE(std::isinf(object.gap_um));
}

TEST(MeasuredObjects, HaveHolesPartsAndNeighbours) {
  const LabelledObjects found = measured(plane_of({
      "11100000000",
      "10100022200",
      "11100022203",
      "00000020203",
      "00000022200",
      "40400000000",
  }));
  ASSERT_EQ(found.objects.size(), 4u);
  EXPECT_EQ(found.objects[0].hole_share, 1.0 / 8);
  EXPECT_EQ(found.objects[1].hole_share, 1.0 / 11);
  EXPECT_EQ(found.objects[0].parts, 1);
  EXPECT_EQ(found.objects[3].parts, 2);
  EXPECT_TRUE(found.objects[0].at_side);
  EXPECT_FALSE(found.objects[1].at_side);
  EXPECT_EQ(found.objects[1].gap_um, 1);  // one column from the third
  EXPECT_EQ(found.objects[0].gap_um, 2);  // two rows from the fourth
  EXPECT_EQ(found.objects[0].touching, 0);
}

TEST(MeasuredObjects, TouchByCornersToo) {
  const LabelledObjects found = measured(plane_of({"11000", "11000", "00220", "33220"}));
  EXPECT_EQ(found.objects[0].touching, 1);
  EXPECT_EQ(found.objects[1].touching, 2);
  EXPECT_EQ(found.objects[2].gap_um, 0);
}

TEST(MeasuredObjects, HaveTheAxesOfAnEllipsoidInVoxelsOfAnyShape) {
  const Vector3 axes{3, 4, 6}, centre{5, 7, 8};
  const LabelledImage image = image_of({20, 56, 64}, {0.5, 0.25, 0.25}, [&](const Vector3& um) {
    return in_ellipsoid(um, centre, axes) ? 3u : 0u;
  });
  const LabelledObject object = measured(image).objects.at(0);
  const double exact = 4.0 / 3 * 3.141592653589793 * 3 * 4 * 6;
  EXPECT_NEAR(object.size, exact, 0.01 * exact);
  EXPECT_NEAR(object.z_um, 3, 0.03);
  EXPECT_NEAR(object.short_um, 4, 0.04);
  EXPECT_NEAR(object.long_um, 6, 0.06);
  EXPECT_NEAR(object.principal_um[0], 3, 0.03);
  EXPECT_NEAR(object.tilt, 0, 1e-3);
  EXPECT_LT(object.outside_share, 0.02);
}

TEST(MeasuredObjects, TiltIsTheShareOfHeightThatPositionExplains) {
  // A rod along the diagonal of z and x: nearly all of z follows from x
  const LabelledImage image = image_of({24, 24, 24}, {1, 1, 1}, [](const Vector3& um) {
    return std::abs(um[0] - um[2]) < 1.5 && std::abs(um[1] - 12) < 2 ? 1u : 0u;
  });
  EXPECT_GT(measured(image).objects.at(0).tilt, 0.9);
}

TEST(MeasuredObjects, ABoxHasVoxelsOutsideItsEllipsoid) {
  const auto share = [](bool is_box) {
    const LabelledImage image = image_of({16, 32, 32}, {1, 1, 1}, [&](const Vector3& um) {
      const bool in_box =
          std::abs(um[0] - 8) < 5 && std::abs(um[1] - 16) < 10 && std::abs(um[2] - 16) < 10;
      return (is_box ? in_box : in_ellipsoid(um, {8, 16, 16}, {6, 12, 12})) ? 1u : 0u;
    });
    return measured(image).objects.at(0).outside_share;
  };
  // A ball of the volume of a unit cube has r = 0.62. Beyond the faces of the cube lie six caps of
  // height h = r - 1/2, of pi h^2 (3 r - h) / 3 each: 0.159 in all, as much as the cube has outside
  EXPECT_NEAR(share(true), 0.159, 0.015);
  EXPECT_LT(share(false), 0.03);
}

TEST(MeasuredObjects, GapsAreThoseOfAllPairsOfVoxels) {
  const LabelledImage image = image_of({12, 24, 24}, {2, 1, 1}, [](const Vector3& um) {
    if (in_ellipsoid(um, {12, 6, 6}, {8, 4, 4})) return 1u;
    if (in_ellipsoid(um, {10, 16, 15}, {6, 5, 6})) return 2u;
    if (in_ellipsoid(um, {4, 4, 20}, {3, 3, 3})) return 3u;
    return 0u;
  });
  const LabelledObjects found = measured(image, 2);
  for (const LabelledObject& object : found.objects) {
    double least = 1e300;
    const auto away = [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(std::max<std::int64_t>(std::abs(a - b), 1) - 1);
    };
    const Extent3 e = image.grid.extent;
    for (std::int64_t i = 0; i < volume(e); ++i)
      for (std::int64_t j = 0; j < volume(e); ++j) {
        const auto label = [&](std::int64_t at) {
          return image.labels.voxels[static_cast<std::size_t>(at)];
        };
        if (label(i) != object.label || label(j) == 0 || label(j) == object.label) continue;
        const std::int64_t area = e.y * e.x;
        least = std::min(
            least, std::hypot(2 * away(i / area, j / area), away(i % area / e.x, j % area / e.x),
                              away(i % e.x, j % e.x)));
      }
    EXPECT_NEAR(object.gap_um, least, 1e-9) << object.label;
  }
}

TEST(MeasuredObjects, HaveTheMeanOfTheirCounts) {
  LabelledImage image = plane_of({"110", "020"});
  image.counts = Volume<float>{image.grid.extent};
  image.counts.voxels = {1, 3, 100, 100, 7, 100};
  const LabelledObjects found = measured(image);
  EXPECT_EQ(found.objects[0].mean_counts, 2);
  EXPECT_EQ(found.objects[1].mean_counts, 7);
}

}  // namespace
}  // namespace synthoscope::fit
