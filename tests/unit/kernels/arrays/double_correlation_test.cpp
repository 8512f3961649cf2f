// SPDX-License-Identifier: MIT
#include "kernels/arrays/double_correlation.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

template <class To, class From>
Volume<To> correlated(const DoubleCorrelation& correlation, const Volume<From>& from,
                      int threads = 2) {
  test::TestContext test{threads};
  Volume<To> to{from.extent};
  correlate_in_double(correlation, from.view(), to.view(), test.context);
  return to;
}

Stencil stencil_of(const Extent3& extent) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < volume(extent); ++i)
    weights.push_back(test::pattern_value<double>(i + 1000) * 1e-3);
  return correlation_stencil(extent, std::move(weights));
}

double by_definition(const DoubleCorrelation& how, const Volume<float>& image, const Index3& at) {
  const auto& [extent, weights, centre] = how.stencil;
  double sum = 0;
  std::size_t number = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const auto there = [&](std::int64_t i, std::int64_t k, std::int64_t c, std::int64_t n) {
          return mapped_index(how.boundary, i + k - c, n);
        };
        const std::int64_t iz = there(at.z, z, centre.z, image.extent.z);
        const std::int64_t iy = there(at.y, y, centre.y, image.extent.y);
        const std::int64_t ix = there(at.x, x, centre.x, image.extent.x);
        const bool is_outside = iz == kOutside || iy == kOutside || ix == kOutside;
        sum += weights[number++] * (is_outside ? how.fill : image.view()(iz, iy, ix));
      }
  return sum;
}

struct SizeCase {
  const char* name;
  Extent3 image, stencil;
};

constexpr SizeCase kCases[] = {
    {"one_voxel", {1, 1, 1}, {3, 3, 3}},          {"one_row", {1, 1, 131}, {1, 1, 7}},
    {"one_column", {1, 97, 1}, {1, 6, 1}},        {"one_plane", {1, 61, 83}, {1, 5, 3}},
    {"a_volume", {5, 23, 37}, {3, 2, 4}},         {"larger_than_the_image", {2, 3, 4}, {5, 8, 9}},
    {"several_tiles", {1, 130, 1100}, {1, 4, 4}}, {"high_tiles", {40, 9, 70}, {9, 1, 2}},
};

class DoubleCorrelations : public testing::TestWithParam<SizeCase> {};

TEST_P(DoubleCorrelations, SumWhatStandsUnderEachWeight) {
  const auto image = test::pattern<float>(GetParam().image);
  for (const Boundary boundary : test::kBoundaries) {
    const DoubleCorrelation how{stencil_of(GetParam().stencil), boundary, 5, {}};
    const auto got = correlated<double>(how, image);
    EXPECT_EQ(correlated<double>(how, image, 1).voxels, got.voxels);
    const Extent3& e = image.extent;
    for (std::int64_t i = 0; i < volume(e); i += 1 + volume(e) / 997) {
      const Index3 at{i / (e.x * e.y), i / e.x % e.y, i % e.x};
      ASSERT_NEAR(got.view()(at.z, at.y, at.x), by_definition(how, image, at), 1e-9)
          << name_of(boundary) << ' ' << at.z << ' ' << at.y << ' ' << at.x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, DoubleCorrelations, testing::ValuesIn(kCases), test::kCaseName);

TEST(DoubleCorrelationValues, LeaveOutWhatIsUnderWeightsOfZero) {
  Volume<float> image{{1, 1, 4}};
  image.voxels = {1, std::numeric_limits<float>::quiet_NaN(), 3, 4};
  const DoubleCorrelation how{correlation_stencil({1, 1, 3}, {1, 0, 1}), Boundary::nearest};
  const auto got = correlated<double>(how, image);
  EXPECT_TRUE(std::isnan(got.voxels[0]));
  EXPECT_EQ(got.voxels[1], 4);
  EXPECT_TRUE(std::isnan(got.voxels[2]));
  EXPECT_EQ(got.voxels[3], 7);
}

TEST(DoubleCorrelationErrors, SayWhichBudgetWouldDo) {
  Volume<float> image{{1, 100, 100}};
  const DoubleCorrelation how{stencil_of({1, 3, 3})};
  const auto run = [&](std::int64_t bytes) {
    test::TestContext test{2, bytes};
    Volume<float> to{image.extent};
    correlate_in_double(how, image.view(), to.view(), test.context);
  };
  run(test::size_behind("--memory ", [&] { run(1000); }));
  test::expect_failure<PlanError>([&] { run(1000); }, {"correlate tiles", "1000"});
}

}  // namespace
}  // namespace synthoscope::kernels
