// SPDX-License-Identifier: MIT
#include "textures/patches/plane_patches.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include "core/base/error.hpp"
#include "tests/support/test_context.hpp"
#include "textures/patches/patch_statistics.hpp"
#include "textures/patches/plane_reader.hpp"

namespace synthoscope::textures {
namespace {

/// A dark field with a bright block in its middle, and a ripple.
GreyPlane block_plane(double dark, double bright) {
  GreyPlane plane{96, 96};
  for (std::int64_t y = 0; y < 96; ++y)
    for (std::int64_t x = 0; x < 96; ++x) {
      const bool is_inside = y >= 24 && y < 72 && x >= 16 && x < 80;
      plane.at(y, x) = (is_inside ? bright : dark) +
                       (bright - dark) * 0.01 * static_cast<double>((x + 2 * y) % 5);
    }
  return plane;
}

TEST(Blurred, KeepsTheMeanAndMirrorsAtTheBorders) {
  GreyPlane line{1, 3};
  line.values = {1, 0, 0};
  const GreyPlane smooth = blurred(line, 1);  // by scipy.ndimage.gaussian_filter
  EXPECT_NEAR(smooth.at(0, 0), 0.64091492, 1e-8);
  EXPECT_NEAR(smooth.at(0, 1), 0.29609640, 1e-8);
  EXPECT_NEAR(smooth.at(0, 0) + smooth.at(0, 1) + smooth.at(0, 2), 1, 1e-12);
}

TEST(Quantiles, AreInterpolated) {
  EXPECT_EQ(quantile_of({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile_of({4, 1, 3, 2}, 0), 1);
  EXPECT_EQ(quantile_of({4, 1, 3, 2}, 1), 4);
  EXPECT_NEAR(quantile_of({0, 10}, 0.05), 0.5, 1e-12);
  EXPECT_EQ(quantile_of({7}, 0.3), 7);
}

TEST(BrightObjects, AreTheBlock) {
  const ObjectMask mask = bright_objects(block_plane(100, 300));
  EXPECT_NEAR(static_cast<double>(std::count(mask.begin(), mask.end(), 1)), 48 * 64, 10);
  EXPECT_TRUE(mask[48 * 96 + 48] && !mask[5 * 96 + 5]);
}

TEST(Normalised, LevelsDoNotDependOnTheDose) {
  const GreyPlane weak = block_plane(100, 300), strong = block_plane(500, 8500);
  const GreyPlane a = normalised(weak, bright_objects(weak), "a");
  const GreyPlane b = normalised(strong, bright_objects(strong), "b");
  for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-9);
  EXPECT_NEAR(a.at(48, 48), 1, 0.03);
  EXPECT_NEAR(a.at(5, 5), 0, 0.03);
}

TEST(Normalised, AnImageWithoutLevelsIsRefused) {
  const GreyPlane plane = block_plane(100, 300);
  EXPECT_THROW(normalised(plane, ObjectMask(96 * 96, 0), "empty"), InvalidInput);
  EXPECT_THROW(normalised(plane, ObjectMask(96 * 96, 1), "full"), InvalidInput);
  GreyPlane flat{8, 8};
  ObjectMask half(64, 0);
  std::fill_n(half.begin(), 32, std::uint8_t{1});
  EXPECT_THROW(normalised(flat, half, "flat"), InvalidInput);
}

TEST(PatchCorners, LieWhereTheyAreWanted) {
  const GreyPlane plane = block_plane(100, 300);
  ObjectMask block(96 * 96, 0);
  for (std::size_t y = 24; y < 72; ++y)
    for (std::size_t x = 16; x < 80; ++x) block[y * 96 + x] = 1;
  // Corners at multiples of 8: nine by nine; inside, y from 24 to 40 and x from 16 to 48
  const struct {
    PatchPlace where;
    std::int64_t most;
    std::size_t count;
  } rows[] = {{PatchPlace::all, 100, 81},
              {PatchPlace::inside, 100, 15},
              {PatchPlace::all, 10, 10},
              {PatchPlace::inside, 4, 4}};
  for (const auto& [where, most, count] : rows)
    EXPECT_EQ(patch_corners(plane, block, {32, where, most}).size(), count);
  for (const auto& [y, x] : patch_corners(plane, block, {32, PatchPlace::edge, 100})) {
    const auto overlap = [](std::int64_t at, std::int64_t low, std::int64_t high) {
      return std::max<std::int64_t>(0, std::min(at + 32, high) - std::max(at, low));
    };
    const auto share = static_cast<double>(overlap(y, 24, 72) * overlap(x, 16, 80)) / 1024;
    EXPECT_TRUE(share >= 0.25 && share <= 0.75) << y << " " << x;
  }
  EXPECT_TRUE(patch_corners(plane, block, {128, PatchPlace::all, 100}).empty());
}

/// Planes of floats, contiguous.
class PlaneSource final : public Source {
 public:
  PlaneSource(Extent3 extent, std::vector<float> voxels)
      : extent_{extent}, voxels_{std::move(voxels)} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override {
    std::copy_n(voxels_.begin() + box.origin.z * extent_.y * extent_.x, volume(box.size),
                out.as<float>().data());
  }

 private:
  Extent3 extent_;
  std::vector<float> voxels_;
};

TEST(SharpestPlane, IsTheOneWithTheFinestDetail) {
  std::vector<float> voxels;
  for (const float contrast : {0.2f, 0.5f, 0.9f, 0.4f})
    for (int i = 0; i < 40 * 40; ++i)
      voxels.push_back(10 + contrast * static_cast<float>((i / 40 / 4 + i % 40 / 4) % 2));
  test::TestContext t;
  PlaneSource source{{4, 40, 40}, voxels};
  EXPECT_EQ(sharpest_plane(source, "stack", t.context), 2);
  voxels[40 * 40 + 3] = std::numeric_limits<float>::quiet_NaN();
  PlaneSource broken{{4, 40, 40}, voxels};
  EXPECT_THROW(sharpest_plane(broken, "stack", t.context), InvalidInput);
}

TEST(ReadMask, TakesTheMiddleOfBinnedLabels) {
  test::TestContext t;
  std::vector<float> labels(36, 0);
  labels[1 * 6 + 4] = 7;  // the middle of the second of two by two pixels of 3 x 3 labels
  PlaneSource source{{1, 6, 6}, labels};
  EXPECT_EQ(read_mask(source, 0, {1, 2, 2}, "image", t.context), (ObjectMask{0, 1, 0, 0}));
  EXPECT_THROW(read_mask(source, 0, {1, 4, 6}, "image", t.context), InvalidInput);
  EXPECT_THROW(read_mask(source, 0, {2, 6, 6}, "image", t.context), InvalidInput);
}

}  // namespace
}  // namespace synthoscope::textures
