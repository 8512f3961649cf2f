// SPDX-License-Identifier: MIT
#include "kernels/arrays/line_filter.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using Weights = std::vector<double>;

template <class To, class From>
Volume<To> filtered(const LineFilter& filter, const LineSetting& setting, const Volume<From>& from,
                    int threads = 2) {
  test::TestContext test{threads};
  Volume<To> to{from.extent};
  filter_lines(filter, setting, from.view(), to.view(), test.context);
  EXPECT_LE(test.memory.peak(), line_bytes(filter, from.extent, threads));
  return to;
}

/// By the definition, along y.
Volume<double> correlated(const Volume<double>& image, const Weights& weights, std::int64_t origin,
                          Boundary boundary, double fill) {
  Volume<double> result{image.extent};
  const Extent3& e = image.extent;
  const auto size = static_cast<std::int64_t>(weights.size());
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        for (std::int64_t j = 0; j < size; ++j) {
          const std::int64_t at = mapped_index(boundary, y + j - size / 2 - origin, e.y);
          result.view()(z, y, x) += weights[static_cast<std::size_t>(j)] *
                                    (at == kOutside ? fill : image.view()(z, at, x));
        }
  return result;
}

struct LineCase {
  const char* name;
  Extent3 array;  ///< before, axis, behind
};

// Lines that are neighbours and lines that are not, of less than a vector and of more
constexpr LineCase kCases[] = {
    {"one_element", {1, 1, 1}},        {"one_line", {1, 301, 1}},
    {"short_lines", {70, 3, 1}},       {"rows", {33, 47, 1}},
    {"columns", {1, 40, 300}},         {"few_columns", {5, 19, 3}},
    {"columns_of_planes", {3, 9, 21}}, {"more_than_a_group", {1, 5, 1027}},
};

class LineFilters : public testing::TestWithParam<LineCase> {
 protected:
  const Volume<double> image = test::pattern<double>(GetParam().array);
};

TEST_P(LineFilters, CorrelateAsTheDefinitionSays) {
  for (const Weights& weights : {Weights{2}, Weights{1, 3}, Weights{1, 2, 1}, Weights{-1, 0, 1},
                                 Weights{0.5, -2, 3, 1, 0.25}, Weights(40, 0.1)})
    for (const Boundary boundary : test::kBoundaries)
      for (const std::int64_t origin : {std::int64_t{0}, (std::ssize(weights) - 1) / 2}) {
        const auto got =
            filtered<double>(*line_correlation(weights, origin), {boundary, 7, {}}, image);
        const auto expected = correlated(image, weights, origin, boundary, 7);
        EXPECT_LT(test::largest_difference(got, expected), 1e-9)
            << name_of(boundary) << ' ' << weights.size() << " at " << origin;
      }
}

TEST_P(LineFilters, TakeMeansOfElements) {
  for (const std::int64_t size : {1, 2, 5, 30})
    for (const Boundary boundary : test::kBoundaries) {
      const Weights weights(static_cast<std::size_t>(size), 1.0 / static_cast<double>(size));
      EXPECT_LT(
          test::largest_difference(filtered<double>(*line_mean(size, 0), {boundary, 7, {}}, image),
                                   correlated(image, weights, 0, boundary, 7)),
          1e-9)
          << name_of(boundary) << ' ' << size;
    }
}

/// What the centred B-spline counts at whole numbers, from the middle on.
Weights spline_at_whole_numbers(int order) {
  switch (order) {
    case 2:
      return {6.0 / 8, 1.0 / 8};
    case 3:
      return {4.0 / 6, 1.0 / 6};
    case 4:
      return {230.0 / 384, 76.0 / 384, 1.0 / 384};
    default:
      return {66.0 / 120, 26.0 / 120, 1.0 / 120};
  }
}

TEST_P(LineFilters, FitSplinesThatPassThroughTheElements) {
  for (int order = 2; order <= 5; ++order) {
    const Weights half = spline_at_whole_numbers(order);
    Weights weights{half.rbegin(), half.rend()};
    weights.insert(weights.end(), half.begin() + 1, half.end());
    for (const Boundary boundary : {Boundary::reflect, Boundary::mirror, Boundary::wrap}) {
      const auto fitted =
          filtered<double>(*line_spline(order, boundary, image.extent.y), {boundary, 0, {}}, image);
      // A line of one element stays as it is
      const auto passed =
          image.extent.y == 1 ? fitted : correlated(fitted, weights, 0, boundary, 0);
      EXPECT_LT(test::largest_difference(passed, image), 1e-9) << name_of(boundary) << ' ' << order;
    }
  }
}

TEST_P(LineFilters, GiveTheSameBitsInPlaceAndWithAnyThreadsAndVectors) {
  const std::unique_ptr<LineFilter> filters[] = {line_correlation(Weights{1, 2, 4}, 0),
                                                 line_mean(3, 0),
                                                 line_spline(3, Boundary::mirror, image.extent.y)};
  for (const auto& filter : filters) {
    const auto expected = filtered<double>(*filter, {Boundary::mirror, 0, {}}, image, 1);
    EXPECT_EQ(filtered<double>(*filter, {Boundary::mirror, 0, {}}, image, 3).voxels,
              expected.voxels);
    EXPECT_EQ(
        filtered<double>(*filter, {Boundary::mirror, 0, {}, VectorLevel::baseline}, image).voxels,
        expected.voxels);
    Volume<double> same = image;
    test::TestContext test;
    filter_lines(*filter, {Boundary::mirror, 0, {}}, same.view(), same.view(), test.context);
    EXPECT_EQ(same.voxels, expected.voxels);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, LineFilters, testing::ValuesIn(kCases), test::kCaseName);

TEST(LineFilterTypes, CutTowardsZeroAndWrapAround) {
  Volume<std::int16_t> image{{1, 4, 1}};
  image.voxels = {300, -3, 7, -130};
  const auto half = line_correlation(Weights{0.5}, 0);
  EXPECT_EQ(filtered<std::uint8_t>(*half, {}, image).voxels,
            (std::vector<std::uint8_t>{150, 255, 3, 191}));
  EXPECT_EQ(filtered<std::int8_t>(*half, {}, image).voxels,
            (std::vector<std::int8_t>{-106, -1, 3, -65}));
  EXPECT_EQ(filtered<double>(*half, {.storing = {WholeNumbers::truncated, true}}, image).voxels,
            (std::vector<double>{150, -1, 3, -65}));
}

TEST(LineFilterTypes, KeepSumsOfIntegersExact) {
  Volume<std::uint32_t> image{{1, 5, 1}};
  image.voxels = {4294967295U, 4294967295U, 4294967294U, 4294967295U, 1};
  EXPECT_EQ(filtered<std::uint32_t>(*line_mean(3, 0), {Boundary::nearest, 0, {}}, image).voxels,
            (std::vector<std::uint32_t>{4294967295U, 4294967294U, 4294967294U, 2863311530U,
                                        1431655765U}));
}

TEST(LineFilterErrors, SayWhatIsAccepted) {
  using test::expect_failure;
  expect_failure<InvalidSpec>([] { (void)line_correlation({}, 0); }, {"no weights"});
  expect_failure<InvalidSpec>([] { (void)line_correlation(Weights(4), 2); }, {"use -2 to 1"});
  expect_failure<InvalidSpec>([] { (void)line_mean(0, 0); }, {"use 1 or more"});
  expect_failure<InvalidSpec>([] { (void)line_spline(6, Boundary::mirror, 5); }, {"2 to 5"});
  expect_failure<InvalidSpec>([] { (void)line_spline(3, Boundary::zero, 5); }, {"zero", "mirror"});
  Volume<double> image{{1, 1000, 64}};
  test::TestContext small{2, 1000};
  const std::int64_t enough = test::size_behind("--memory ", [&] {
    filter_lines(*line_mean(3, 0), {}, image.view(), image.view(), small.context);
  });
  test::TestContext right{2, enough};
  filter_lines(*line_mean(3, 0), {}, image.view(), image.view(), right.context);
}

}  // namespace
}  // namespace synthoscope::kernels
