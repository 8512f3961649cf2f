// SPDX-License-Identifier: MIT
#include "kernels/warp.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "kernels/resample.hpp"
#include "kernels/resampling_grid.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr Extent3 kResult{1, 40, 50};

ProjectiveMap aslant() {
  return ProjectiveMap{{{{1, 0, 0, 0}, {0, 0.9, 0.1, 2}, {0, -0.05, 0.8, 3}, {0, 1e-3, 2e-3, 1}}}};
}

std::vector<Landmark> landmarks(bool is_planar) {
  std::vector<Landmark> all;
  for (std::int64_t i = 0; i < 12; ++i) {
    const auto at = [&](std::int64_t k, double range) {
      return range * (test::pattern_value<double>(10 * i + k) + 300) / 1000;
    };
    Landmark one{{is_planar ? 0 : at(0, 9), at(1, 40), at(2, 50)}, {}};
    one.image = {is_planar ? 0 : one.result.z + at(3, 3) - 1, one.result.y + at(4, 8) - 4,
                 one.result.x + at(5, 8) - 4};
    all.push_back(one);
  }
  return all;
}

/// All coordinates of boxes of all sizes lie in what is said of the box.
void expect_in_range(const CoordinateMap& map, const Extent3& result) {
  for (const Extent3 size : {Extent3{1, 1, 1}, {1, 7, 9}, {3, 33, 20}, result})
    for (std::int64_t z = 0; z < result.z; z += size.z)
      for (std::int64_t y = 0; y < result.y; y += size.y)
        for (std::int64_t x = 0; x < result.x; x += size.x) {
          const Box3 box = intersection({{z, y, x}, size}, whole(result));
          const auto [low, high] = map.range(box);
          for (std::int64_t i = 0; i < volume(box.size); ++i) {
            double c[3];
            map.row(z + i / box.size.x / box.size.y, y + i / box.size.x % box.size.y,
                    x + i % box.size.x, 1, {c, c + 1, c + 2});
            ASSERT_TRUE(!(c[0] < low.z || c[0] > high.z) && !(c[1] < low.y || c[1] > high.y) &&
                        !(c[2] < low.x || c[2] > high.x))
                << box << " voxel " << i << ": " << c[0] << " " << c[1] << " " << c[2];
          }
        }
}

TEST(Warp, SaysWhereAllCoordinatesOfABoxLie) {
  expect_in_range(aslant(), kResult);
  expect_in_range(ProjectiveMap{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0.1, -0.1, 1}}}},
                  kResult);
  expect_in_range(ThinPlateMap{landmarks(true)}, kResult);
  expect_in_range(ThinPlateMap{landmarks(false)}, {9, 40, 50});
}

TEST(Warp, SaysLittleMoreThanThatOfSmallBoxes) {
  auto spread = landmarks(true);
  for (Landmark& one : spread) {
    const double y = one.image.y - one.result.y, x = one.image.x - one.result.x;
    one.result = {0, 40 * one.result.y, 40 * one.result.x};
    one.image = {0, one.result.y + y, one.result.x + x};
  }
  const auto [low, high] = ThinPlateMap{spread}.range({{0, 800, 700}, {1, 32, 32}});
  EXPECT_LT(high.y - low.y, 40);
  EXPECT_LT(high.x - low.x, 40);
}

TEST(ThinPlate, TakesLandmarksToTheirPlaces) {
  for (const bool is_planar : {true, false}) {
    auto all = landmarks(is_planar);
    for (Landmark& one : all)
      one.result = {std::round(one.result.z), std::round(one.result.y), std::round(one.result.x)};
    const ThinPlateMap map{all};
    for (const Landmark& one : all) {
      double c[3];
      map.row(std::lround(one.result.z), std::lround(one.result.y), std::lround(one.result.x), 1,
              {c, c + 1, c + 2});
      EXPECT_NEAR(c[0], one.image.z, 1e-9);
      EXPECT_NEAR(c[1], one.image.y, 1e-9);
      EXPECT_NEAR(c[2], one.image.x, 1e-9);
    }
  }
}

TEST(ThinPlate, LeavesAffineMapsAsTheyAre) {
  std::vector<Landmark> all;
  for (const auto& [y, x] : {std::pair{0.0, 0.0}, {30, 4}, {7, 41}, {33, 38}, {20, 11}})
    all.push_back({{0, y, x}, {0, 2 + 0.9 * y - 0.2 * x, -1 + 0.3 * y + 1.1 * x}});
  const ThinPlateMap map{all};
  double z[50], y[50], x[50];
  map.row(3, 25, 0, 50, {z, y, x});
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(z[i], 3);
    EXPECT_NEAR(y[i], 2 + 0.9 * 25 - 0.2 * i, 1e-9);
    EXPECT_NEAR(x[i], -1 + 0.3 * 25 + 1.1 * i, 1e-9);
  }
}

TEST(ThinPlate, RefusesWhatFixesNothing) {
  const std::vector<Landmark> line{
      {{0, 0, 0}, {0, 0, 0}}, {{0, 1, 1}, {0, 1, 1}}, {{0, 2, 2}, {0, 2, 3}}};
  test::expect_failure<InvalidSpec>([&] { ThinPlateMap{line}; }, {"line"});
  test::expect_failure<InvalidSpec>([&] { ThinPlateMap{std::span{line}.first(2)}; },
                                    {"2 landmarks"});
}

TEST(Warp, IsTheSameHoweverItIsCut) {
  const auto image = test::pattern<float>({1, 43, 47});
  const auto dy = test::pattern<float>(kResult), dx = test::pattern<float>({1, 50, 40});
  std::vector<float> by[2];
  for (std::size_t i = 0; i < 2000; ++i) {
    by[0].push_back(dy.voxels[i] * 0.01F);
    by[1].push_back(dx.voxels[i] * 0.01F);
  }
  const std::shared_ptr<const CoordinateMap> maps[] = {
      std::make_shared<ProjectiveMap>(aslant()), std::make_shared<ThinPlateMap>(landmarks(true)),
      std::make_shared<DisplacementMap>(HostView3<const float>{},
                                        HostView3<const float>{by[0].data(), kResult},
                                        HostView3<const float>{by[1].data(), kResult})};
  for (const auto& map : maps)
    for (const Outside outside : {Outside::zero, Outside::wrap, Outside::reflect})
      for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
        SCOPED_TRACE(testing::Message() << name_of(how) << " " << name_of(outside));
        Resample resample{image.extent, map, {kResult, how, outside}};
        test::expect_same_in_bricks<float>(resample, image);
      }
}

TEST(Warp, HasNoValueWhereNothingIsSeen) {
  const auto image = test::pattern<float>({1, 9, 9});
  // The divisor is 0 at x = 5 and negative behind
  const auto map = std::make_shared<ProjectiveMap>(
      ProjectiveMap::Matrix{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, -0.2, 1}}});
  Resample resample{image.extent, map, {{1, 1, 9}, Interpolation::linear, Outside::zero, 7}};
  const auto got = test::apply_whole<float>(resample, image)[0].voxels;
  EXPECT_EQ(got[0], image.voxels[0]);
  for (std::size_t x = 5; x < 9; ++x) EXPECT_EQ(got[x], 7);
}

TEST(ResamplingGrid, LevelsTiltedPlanes) {
  // At 30 degrees a row rises by half of its pitch and leans by 0.866 of it
  const ResamplingGrid grid = deskewed({11, 21, 5}, {0.5, 0.2, 0.2}, 30);
  EXPECT_EQ(grid.extent, (Extent3{11, 43, 5}));  // 20 * 0.1 / 0.2, (5 + 20 * 0.1732) / 0.2
  EXPECT_NEAR(grid.affine.at(1, 10, 0, 0), 20, 1e-12);
  EXPECT_NEAR(grid.affine.at(0, 10, 42.320508, 0), 10, 1e-6);
  test::expect_failure<InvalidSpec>(
      [] {
        deskewed({11, 21, 5}, {0.5, 0.2, 0.2}, 90);
      },
      {"90 degrees"});
}

TEST(ResamplingGrid, KeepsTheSpaceAndSaysTheSizeOfVoxels) {
  const ResamplingGrid cubes = respaced({10, 100, 90}, {2, 0.5, 0.25}, {0.5, 0.5, 0.5});
  EXPECT_EQ(cubes.extent, (Extent3{40, 100, 45}));
  EXPECT_DOUBLE_EQ(cubes.affine.at(0, -0.5, 0, 0), -0.5);
  EXPECT_DOUBLE_EQ(cubes.affine.at(0, 39.5, 0, 0), 9.5);
  const VoxelSize sheared =
      by_matrix({2, 1, 1}, {{{{1, 0, 0, 0}, {0, 3, 0, 0}, {0, 4, 0.5, 0}}}}, {1, 1, 1}).pitch;
  EXPECT_EQ(sheared, (VoxelSize{2, 5, 0.5}));
  const VoxelSize standing =
      by_matrix({2, 1, 0.25}, {{{{1, 0, 0, 0}, {0, 3, 0, 0}, {0, 4, 0, 0}}}}, {1, 1, 1}).pitch;
  EXPECT_EQ(standing.x_um, 0.25);
}

}  // namespace
}  // namespace synthoscope::kernels
