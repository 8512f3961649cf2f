// SPDX-License-Identifier: MIT
#include "kernels/coordinates/warp.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "kernels/coordinates/resampling_grid.hpp"
#include "kernels/resample/resample.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr Extent3 kResult{1, 40, 50};

ProjectiveMap aslant() {
  return ProjectiveMap{{{{1, 0, 0, 0}, {0, 0.9, 0.1, 2}, {0, -0.05, 0.8, 3}, {0, 1e-3, 2e-3, 1}}}};
}

ProjectiveMap up_to_the_horizon() {
  return ProjectiveMap{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0.1, -0.1, 1}}}};
}

/// Of rank 2: what is divided and its divisor vanish together, but for rounding.
ProjectiveMap singular() {
  return ProjectiveMap{
      {{{1, 0, 0, 0}, {0, 2.5e-16, 1, -9}, {0, 2.5e-16, 1, -9}, {0, 3e-16, 1, -9}}}};
}

/// To infinity over infinity in x, and to 0 in y.
ProjectiveMap overflowing() {
  return ProjectiveMap{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1.7e308, 0}, {0, 0, 1e308, 1}}}};
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
  expect_in_range(up_to_the_horizon(), kResult);
  expect_in_range(singular(), kResult);
  expect_in_range(overflowing(), kResult);
  expect_in_range(ThinPlateMap{landmarks(true)}, kResult);
  expect_in_range(ThinPlateMap{landmarks(false)}, {9, 40, 50});
}

TEST(Warp, SaysWhereAllDisplacedVoxelsOfABoxLie) {
  const Extent3 result{3, 40, 150};
  std::array<std::vector<float>, 3> by;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::int64_t i = 0; i < volume(result); ++i)
      by[axis].push_back(test::pattern_value<float>(3 * i + static_cast<std::int64_t>(axis)) / 9);
  by[2][500] = -INFINITY;
  const auto view = [&](std::size_t axis) {
    return HostView3<const float>{by[axis].data(), result};
  };
  expect_in_range(DisplacementMap{{}, view(1), view(2)}, result);
  expect_in_range(DisplacementMap{view(0), view(1), view(2)}, result);
  by[1][700] = NAN;  // which may be looked up anywhere
  const auto [low, high] = DisplacementMap{{}, view(1), view(2)}.range({{0, 4, 64}, {1, 1, 64}});
  EXPECT_EQ(low.y, -INFINITY);
  EXPECT_EQ(high.y, INFINITY);
}

TEST(Warp, SaysLittleMoreThanThatOfBoxesWhereLandmarksAreFarApart) {
  auto spread = landmarks(true);
  for (Landmark& one : spread) {
    const double y = one.image.y - one.result.y, x = one.image.x - one.result.x;
    one.result = {0, 40 * one.result.y, 40 * one.result.x};
    one.image = {0, one.result.y + y, one.result.x + x};
  }
  const ThinPlateMap map{spread};
  for (const std::int64_t side : {32, 512}) {
    const auto [low, high] = map.range({{0, 800, 700}, {1, side, side}});
    EXPECT_LT(high.y - low.y, 1.1 * static_cast<double>(side));
    EXPECT_LT(high.x - low.x, 1.1 * static_cast<double>(side));
  }
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

TEST(Warp, SaysTheSameOfAVoxelWhereverARowBegins) {
  const ProjectiveMap projective = aslant();
  const ThinPlateMap planar{landmarks(true)}, through_planes{landmarks(false)};
  for (const CoordinateMap* map :
       std::initializer_list<const CoordinateMap*>{&projective, &planar, &through_planes})
    for (const std::int64_t count : {1, 15, 16, 17, 50}) {
      double all[3][50], part[3][50];
      map->row(3, 7, 0, 50, {all[0], all[1], all[2]});
      map->row(3, 7, 50 - count, count, {part[0], part[1], part[2]});
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::int64_t i = 0; i < count; ++i)
          ASSERT_EQ(part[axis][i], all[axis][50 - count + i]) << count << " voxels, " << i;
    }
}

TEST(ThinPlate, BendsAsLogarithmsOfAMathLibraryDo) {
  for (double r2 = 1e-300; r2 < 1e9; r2 *= 1.0137) {
    const double log = std::log(r2);
    EXPECT_NEAR(bending<true>(r2), r2 * log, 1e-15 * r2 * (1 + std::abs(log))) << r2;
  }
  EXPECT_EQ(bending<true>(0), 0);
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
  std::vector<float> wild = by[0];
  wild[5] = NAN;
  wild[1017] = 1e30F;
  const std::shared_ptr<const CoordinateMap> maps[] = {
      std::make_shared<ProjectiveMap>(aslant()),
      std::make_shared<ProjectiveMap>(up_to_the_horizon()),
      std::make_shared<ProjectiveMap>(singular()),
      std::make_shared<DisplacementMap>(HostView3<const float>{},
                                        HostView3<const float>{wild.data(), kResult},
                                        HostView3<const float>{by[1].data(), kResult}),
      std::make_shared<ThinPlateMap>(landmarks(true)),
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
