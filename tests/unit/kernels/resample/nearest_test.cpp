// SPDX-License-Identifier: MIT
#include "kernels/resample/nearest.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "kernels/coordinates/affine.hpp"
#include "kernels/resample/resample.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/outsides.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using test::kOutsides;

TEST(ResampleNearest, KeepsLabelsAsTheyAre) {
  auto labels = test::pattern<std::uint32_t>({3, 20, 30});
  ResampleSpec spec{
      {3, 33, 41}, Interpolation::nearest, Outside::zero, 4294967295.0, PixelType::uint32};
  const Affine affine{{{{1, 0, 0, 0}, {0, 0.7, 0.3, -2}, {0, -0.3, 0.7, 7}}}};
  Resample resample{labels.extent, std::make_shared<AffineMap>(affine), spec};
  const auto got = test::apply_whole<std::uint32_t>(resample, labels)[0];
  for (std::int64_t y = 0; y < 33; ++y)
    for (std::int64_t x = 0; x < 41; ++x) {
      const double cy = affine.at(1, 1, static_cast<double>(y), static_cast<double>(x));
      const double cx = affine.at(2, 1, static_cast<double>(y), static_cast<double>(x));
      const bool is_inside = cy >= 0 && cy <= 19 && cx >= 0 && cx <= 29;
      ASSERT_EQ(got.view()(1, y, x),
                is_inside ? labels.view()(1, std::lround(cy), std::lround(cx)) : 4294967295U);
    }
  test::expect_same_in_bricks<std::uint32_t>(resample, labels);
}

// Equally near voxels of a picture and of its reflection, as scipy.ndimage 1.10 chooses them
TEST(ResampleNearest, ChoosesTheNearestVoxelAsScipyDoes) {
  Volume<std::uint8_t> image{{1, 1, 5}};
  const Affine half_beside{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -5.5}}}};
  for (std::uint8_t i = 0; i < 5; ++i) image.voxels[i] = static_cast<std::uint8_t>(10 + i);
  const auto row = [&](Outside outside) {
    ResampleSpec spec{{1, 1, 14}, Interpolation::nearest, outside, 0, PixelType::uint8};
    Resample resample{image.extent, std::make_shared<AffineMap>(half_beside), spec};
    return test::apply_whole<std::uint8_t>(resample, image)[0].voxels;
  };
  using Row = std::vector<std::uint8_t>;
  EXPECT_EQ(row(Outside::zero), (Row{0, 0, 0, 0, 0, 0, 11, 12, 13, 14, 0, 0, 0, 0}));
  EXPECT_EQ(row(Outside::grid_constant), (Row{0, 0, 0, 0, 0, 10, 11, 12, 13, 14, 0, 0, 0, 0}));
  EXPECT_EQ(row(Outside::nearest), (Row{10, 10, 10, 10, 10, 10, 11, 12, 13, 14, 14, 14, 14, 14}));
  EXPECT_EQ(row(Outside::reflect), (Row{14, 14, 13, 12, 11, 10, 11, 12, 13, 14, 14, 14, 13, 12}));
  EXPECT_EQ(row(Outside::mirror), (Row{13, 14, 14, 13, 12, 11, 11, 12, 13, 14, 13, 13, 12, 11}));
  EXPECT_EQ(row(Outside::wrap), (Row{10, 11, 12, 13, 14, 10, 11, 12, 13, 14, 10, 11, 12, 13}));
  EXPECT_EQ(row(Outside::scipy_wrap),
            (Row{13, 14, 11, 12, 13, 14, 11, 12, 13, 14, 11, 12, 13, 14}));
}

const Affine kTurnedInPlane{
    {{{0.9, 0.02, -0.01, 0.3}, {-0.2, 0.8, 0.4, -11}, {0.1, -0.4, 0.85, 17}}}};

/// Turned, with a few coordinates that are none.
class TurnedWithHoles final : public CoordinateMap {
 public:
  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override {
    turned_.row(z, y, x, count, to);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t kind = (7 * z + 3 * y + x + i) % 41;
      if (kind == 0) to.z[i] = NAN;
      if (kind == 1) to.y[i] = INFINITY;
      if (kind == 2) to.x[i] = -INFINITY;
    }
  }
  [[nodiscard]] CoordinateRange range(const Box3&) const override {
    return {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  }

 private:
  AffineMap turned_{kTurnedInPlane};
};

void expect_nearest_voxels(const std::shared_ptr<const CoordinateMap>& map) {
  const auto image = test::pattern<std::uint16_t>({3, 61, 149});
  const Extent3& n = image.extent;
  for (const Outside outside : kOutsides)
    for (int level = 0; level <= static_cast<int>(vector_level()); ++level) {
      ResampleSpec spec{{4, 70, 200}, Interpolation::nearest, outside, 777, PixelType::uint16};
      spec.level = static_cast<VectorLevel>(level);
      Resample resample{n, map, spec};
      const auto got = test::apply_whole<std::uint16_t>(resample, image)[0];
      for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 70; ++y)
          for (std::int64_t x = 0; x < 200; ++x) {
            double cz, cy, cx;
            map->row(z, y, x, 1, {&cz, &cy, &cx});
            const std::int64_t iz = nearest_voxel(outside, cz, n.z);
            const std::int64_t iy = nearest_voxel(outside, cy, n.y);
            const std::int64_t ix = nearest_voxel(outside, cx, n.x);
            const bool is_outside = iz == kOutside || iy == kOutside || ix == kOutside;
            ASSERT_EQ(got.view()(z, y, x), is_outside ? 777 : image.view()(iz, iy, ix))
                << name_of(outside) << " " << name_of(spec.level) << " at " << Index3{z, y, x};
          }
    }
}

TEST(ResampleNearest, FindsTheNearestVoxelOfEveryCoordinate) {
  expect_nearest_voxels(std::make_shared<TurnedWithHoles>());
}

TEST(ResampleNearest, FindsTheNearestVoxelWhereAxesAreScaledAndShiftedAlone) {
  const Affine kAlone[] = {
      {{{{0.6, 0, 0, -0.2}, {0, 0.3, 0, 20}, {0, 0, 0.3, 70}}}},    // rows and columns repeat
      {{{{1, 0, 0, 0}, {0, -2.7, 0, 90}, {0, 0, -1.9, 300}}}},      // to both sides of the image
      {{{{0, 0, 0, 1}, {0, 1, 0, -0.5}, {0, 0, 1, -0.5}}}},         // two equally near
      {{{{1, 0, 0, -90}, {0, 1e9, 0, -3e10}, {0, 0, 1, 1e300}}}}};  // far outside
  for (const Affine& affine : kAlone) expect_nearest_voxels(std::make_shared<AffineMap>(affine));
}

}  // namespace
}  // namespace synthoscope::kernels
