// SPDX-License-Identifier: MIT
#include "kernels/arrays/spline_lookup.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/coordinates/affine.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/outsides.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr int kOrders[] = {0, 1, 2, 3, 4, 5};

std::vector<double> from_on(double first, double step, std::int64_t count) {
  std::vector<double> at;
  for (std::int64_t i = 0; i < count; ++i) at.push_back(first + step * static_cast<double>(i));
  return at;
}

template <class T>
Volume<double> by_axes(const SplineLookup& how, const Volume<T>& image, const AxisCoordinates& at,
                       const Extent3& extent, int threads = 2) {
  test::TestContext test{threads};
  Volume<double> result{extent};
  look_up(how, image.view(), at, result.view(), test.context);
  return result;
}

template <class T>
Volume<double> by_map(const SplineLookup& how, const Volume<T>& image, const Affine& affine,
                      const Extent3& extent, int threads = 2) {
  test::TestContext test{threads};
  Volume<double> result{extent};
  look_up(how, image.view(), AffineMap{affine}, result.view(), test.context);
  return result;
}

TEST(SplineLookups, FindTheVoxelsThemselves) {
  const auto image = test::pattern<double>({4, 9, 21});
  for (const int order : kOrders)
    for (const Outside outside : test::kOutsides) {
      const auto got = by_map({order, outside, 3}, image, {}, image.extent);
      EXPECT_LT(test::largest_difference(got, image), 1e-9) << order << ' ' << name_of(outside);
    }
}

TEST(SplineLookups, AreExactForPolynomialsOfTheirDegree) {
  constexpr std::int64_t kLength = 60;
  for (const int order : kOrders) {
    const auto polynomial = [&](double x) { return std::pow((x - 20) / 10, order) + 2; };
    Volume<double> image{{1, 1, kLength}};
    for (std::int64_t x = 0; x < kLength; ++x)
      image.voxels[static_cast<std::size_t>(x)] = polynomial(static_cast<double>(x));
    // Far from the ends, where the line goes on as no polynomial does
    const auto at = from_on(27.3, 0.37, 12);
    const auto got = by_axes({order, Outside::mirror, 0, true, {true, true, false}}, image,
                             {{}, {}, at}, {1, 1, 12});
    for (std::size_t i = 0; i < at.size(); ++i)
      EXPECT_NEAR(got.voxels[i], polynomial(at[i]), order == 0 ? 1e-12 : 1e-6) << order;
  }
}

TEST(SplineLookups, AreTheSameByAxesAndVoxelByVoxel) {
  const auto image = test::pattern<float>({7, 8, 9});
  const Extent3 result{5, 6, 11};
  const auto z = from_on(-3.2, 2.1, 5), y = from_on(-2.5, 2.3, 6), x = from_on(-4.1, 1.7, 11);
  const Affine affine{{{{2.1, 0, 0, -3.2}, {0, 2.3, 0, -2.5}, {0, 0, 1.7, -4.1}}}};
  for (const int order : kOrders)
    for (const bool fits : {true, false})
      for (const Outside outside : test::kOutsides) {
        const SplineLookup how{order, outside, 100, fits};
        const auto got = by_axes(how, image, {z, y, x}, result);
        EXPECT_LT(test::largest_difference(got, by_map(how, image, affine, result)), 1e-9)
            << order << ' ' << name_of(outside);
        EXPECT_EQ(by_axes(how, image, {z, y, x}, result, 1).voxels, got.voxels);
      }
}

TEST(SplineLookups, LeaveRowsWhereTheyAre) {
  const auto image = test::pattern<float>({7, 8, 40});
  const auto z = from_on(-3.2, 2.1, 5), y = from_on(-2.5, 2.3, 6), x = from_on(0, 1, 40);
  for (const int order : kOrders)
    for (const Outside outside : test::kOutsides) {
      const auto all = by_axes({order, outside, 100}, image, {z, y, x}, {5, 6, 40});
      const auto kept =
          by_axes({order, outside, 100, true, {false, false, true}}, image, {z, y, {}}, {5, 6, 40});
      EXPECT_LT(test::largest_difference(all, kept), 1e-9) << order << ' ' << name_of(outside);
      const auto rows =
          by_axes({order, outside, 100, true, {false, true, true}}, image, {z, {}, {}}, {5, 8, 40});
      EXPECT_EQ(rows.extent, (Extent3{5, 8, 40}));
    }
}

TEST(SplineLookups, LookThroughEachPlaneByItself) {
  const auto image = test::pattern<std::uint16_t>({3, 12, 15});
  const Affine turn{{{{1, 0, 0, 0}, {0, 0.8, 0.6, -1}, {0, -0.6, 0.8, 5}}}};
  for (const int order : kOrders) {
    const auto whole =
        by_map({order, Outside::nearest, 0, true, {true, false, false}}, image, turn, {3, 10, 20});
    for (std::int64_t z = 0; z < 3; ++z) {
      const auto plane = test::cut(image, {{z, 0, 0}, {1, 12, 15}});
      const auto alone = by_map({order, Outside::nearest, 0, true, {true, false, false}}, plane,
                                turn, {1, 10, 20});
      EXPECT_EQ(test::cut(whole, {{z, 0, 0}, {1, 10, 20}}).voxels, alone.voxels) << order;
    }
  }
}

TEST(SplineLookups, FillWhereACoordinateIsOutsideOrWhereVoxelsAre) {
  Volume<double> image{{1, 1, 4}};
  image.voxels = {1, 2, 3, 4};
  const auto at = from_on(-1, 0.5, 4);  // -1, -0.5, 0, 0.5
  const auto look = [&](Outside outside) {
    return by_axes({1, outside, 10, true, {true, true, false}}, image, {{}, {}, at}, {1, 1, 4})
        .voxels;
  };
  EXPECT_EQ(look(Outside::zero), (std::vector<double>{10, 10, 1, 1.5}));
  EXPECT_EQ(look(Outside::grid_constant), (std::vector<double>{10, 5.5, 1, 1.5}));
  EXPECT_EQ(look(Outside::nearest), (std::vector<double>{1, 1, 1, 1.5}));
  EXPECT_EQ(look(Outside::mirror), (std::vector<double>{2, 1.5, 1, 1.5}));
  EXPECT_EQ(look(Outside::wrap), (std::vector<double>{4, 2.5, 1, 1.5}));
}

TEST(SplineLookups, TakeWhatIsNoNumberForFarOutside) {
  Volume<double> image{{1, 1, 4}};
  const std::vector<double> at{NAN, INFINITY, -INFINITY, 1e300};
  for (const Outside outside : test::kOutsides)
    for (const double value :
         by_axes({3, outside, 10, true, {true, true, false}}, image, {{}, {}, at}, {1, 1, 4})
             .voxels)
      EXPECT_TRUE(std::isfinite(value)) << name_of(outside);
}

TEST(SplineLookups, RoundAndClipIntegers) {
  Volume<double> image{{1, 1, 6}};
  image.voxels = {0.5, -0.5, 1.5, 300, -300, NAN};
  test::TestContext test;
  Volume<std::int8_t> result{image.extent};
  const auto at = from_on(0, 1, 6);
  look_up({0, Outside::zero, 0, true, {true, true, false}}, image.view(),
          AxisCoordinates{{}, {}, at}, result.view(), test.context);
  EXPECT_EQ(result.voxels, (std::vector<std::int8_t>{1, -1, 2, 127, -128, -128}));
}

TEST(SplineLookupErrors, SayWhatIsAccepted) {
  const auto image = test::pattern<float>({4, 30, 30});
  test::expect_failure<InvalidSpec>([&] { (void)by_map({6}, image, {}, image.extent); },
                                    {"order 6", "0 to 5"});
  test::expect_failure<InvalidSpec>(
      [&] {
        (void)by_map({1, Outside::zero, 0, true, {true, false, false}}, image, {}, {5, 3, 3});
      },
      {"the same number along axes that are kept"});
  const auto run = [&](std::int64_t bytes) {
    test::TestContext test{2, bytes};
    Volume<double> result{image.extent};
    look_up({}, image.view(), AffineMap{{}}, result.view(), test.context);
  };
  run(test::size_behind("--memory ", [&] { run(1000); }));
}

}  // namespace
}  // namespace synthoscope::kernels
