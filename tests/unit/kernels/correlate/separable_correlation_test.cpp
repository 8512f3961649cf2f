// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "kernels/correlate/correlation.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using test::kBoundaries;

enum class Weights { none, any, symmetric, antisymmetric, box };

std::vector<double> weights_of(Weights form, std::int64_t size) {
  std::vector<double> made;
  for (std::int64_t i = 0; i < size; ++i) {
    const double near = test::pattern_value<double>(std::min(i, size - 1 - i) + 50) * 1e-3;
    switch (form) {
      case Weights::none:
        made.push_back(1);
        break;
      case Weights::any:
        made.push_back(test::pattern_value<double>(i + size) * 1e-3);
        break;
      case Weights::symmetric:
        made.push_back(near);
        break;
      case Weights::antisymmetric:
        made.push_back(2 * i + 1 == size ? 0 : 2 * i < size ? near : -near);
        break;
      case Weights::box:
        made.push_back(1.0 / static_cast<double>(size));
        break;
    }
  }
  return made;
}

struct AxisCase {
  Weights form;
  std::int64_t size;
};
constexpr AxisCase kNone{Weights::none, 1};

struct SeparableCase {
  const char* name;
  Extent3 image;
  AxisCase z, y, x;
  int terms = 1, planes = 1;
};

using enum Weights;
constexpr SeparableCase kCases[] = {
    {"one_voxel", {1, 1, 1}, {symmetric, 3}, {any, 3}, {box, 3}},
    {"nothing", {2, 3, 37}, kNone, kNone, kNone},
    {"a_factor", {2, 3, 37}, {any, 1}, {any, 1}, {any, 1}},
    {"along_rows", {1, 3, 131}, kNone, kNone, {symmetric, 7}},
    {"along_rows_even", {1, 3, 131}, kNone, kNone, {symmetric, 8}},
    {"along_rows_difference", {1, 3, 131}, kNone, kNone, {antisymmetric, 5}},
    {"along_rows_even_difference", {1, 3, 131}, kNone, kNone, {antisymmetric, 2}},
    {"along_rows_any", {1, 3, 131}, kNone, kNone, {any, 6}},
    {"along_rows_box", {1, 3, 131}, kNone, kNone, {box, 11}},
    {"across_rows", {1, 97, 19}, kNone, {any, 3}, kNone},
    {"across_rows_shared", {1, 97, 19}, kNone, {symmetric, 9}, kNone},
    {"across_rows_box", {1, 97, 19}, kNone, {box, 31}, kNone},
    {"across_planes", {67, 5, 9}, {symmetric, 9}, kNone, kNone},
    {"across_planes_box", {67, 5, 9}, {box, 6}, kNone, kNone},
    {"box_of_powers", {1, 70, 90}, kNone, {box, 16}, {box, 8}},
    {"box_even", {9, 23, 31}, {box, 2}, {box, 6}, {box, 10}},
    {"plane", {3, 61, 83}, kNone, {symmetric, 5}, {antisymmetric, 3}},
    {"wider_than_the_image", {4, 7, 5}, {symmetric, 9}, {any, 21}, {symmetric, 25}},
    {"many_weights", {1, 11, 40}, kNone, {symmetric, 401}, {symmetric, 601}},
    {"volume", {75, 19, 37}, {any, 4}, {symmetric, 5}, {antisymmetric, 3}},
    {"many_tiles", {3, 140, 530}, {symmetric, 3}, {symmetric, 5}, {symmetric, 7}},
    {"sum_in_the_plane", {2, 40, 50}, kNone, {any, 5}, {any, 6}, 1, 3},
    {"sum_of_boxes", {2, 40, 50}, kNone, {box, 5}, {box, 7}, 2, 1},
    {"sum_in_the_volume", {12, 20, 30}, {any, 5}, {any, 3}, {any, 4}, 3, 2},
};

SeparableStencil stencil_of(const SeparableCase& c) {
  SeparableStencil stencil =
      separable_stencil(weights_of(c.z.form, c.z.size), weights_of(c.y.form, c.y.size),
                        weights_of(c.x.form, c.x.size));
  auto& terms = stencil.terms;
  for (int i = 1; i < c.planes; ++i) {
    auto plane = terms[0].planes[0];
    for (double& weight : plane.y) weight *= -0.5 * i;
    plane.x[0] += 0.25 * i;
    terms[0].planes.push_back(plane);
  }
  for (int i = 1; i < c.terms; ++i) {
    auto term = terms[0];
    term.planes[0].y[0] += i;
    terms.push_back(term);
  }
  return stencil;
}

class SeparableCorrelation : public testing::TestWithParam<SeparableCase> {};
INSTANTIATE_TEST_SUITE_P(Sizes, SeparableCorrelation, testing::ValuesIn(kCases), test::kCaseName);

/// What errors are measured against: all magnitudes added up.
double sum_of_magnitudes(const SeparableStencil& stencil) {
  double sum = 0;
  const auto of = [](const std::vector<double>& weights) {
    double all = 0;
    for (const double weight : weights) all += std::abs(weight);
    return all;
  };
  for (const auto& term : stencil.terms)
    for (const auto& plane : term.planes) sum += of(term.z) * of(plane.y) * of(plane.x);
  return sum;
}

template <class T>
void expect_close_to_plain(const SeparableCase& c) {
  const auto image = test::pattern<T>(c.image);
  const SeparableStencil stencil = stencil_of(c);
  const double scale = sum_of_magnitudes(stencil) * test::largest_magnitude(image);
  // Weights by weights, the definition of wide stencils takes long
  const bool is_wide = volume(stencil.extent) > 10000;
  for (const Boundary boundary : kBoundaries) {
    if (is_wide && boundary != Boundary::mirror) continue;
    const auto plain =
        make_plain_correlation({c.image, boundary, PixelType::float64}, product(stencil));
    const auto separable = make_separable_correlation({c.image, boundary}, stencil);
    EXPECT_LE(test::largest_difference(test::apply_whole<double>(*plain, image)[0],
                                       test::apply_whole<float>(*separable, image)[0]),
              1e-6 * scale)
        << name_of(boundary);
  }
}

TEST_P(SeparableCorrelation, EqualsTheDefinitionInEveryBoundaryMode) {
  expect_close_to_plain<float>(GetParam());
  if (volume(stencil_of(GetParam()).extent) > 10000) return;
  expect_close_to_plain<std::uint8_t>(GetParam());
  expect_close_to_plain<std::uint16_t>(GetParam());
}

TEST_P(SeparableCorrelation, GivesTheSameBitsHoweverCut) {
  const SeparableCase& c = GetParam();
  const auto image = test::pattern<std::uint16_t>(c.image);
  for (const Boundary boundary : kBoundaries) {
    SCOPED_TRACE(name_of(boundary));
    const auto separable = make_separable_correlation({c.image, boundary}, stencil_of(c));
    test::expect_same_in_bricks<float>(*separable, image);
  }
}

template <class T>
void expect_same_at_every_level(const SeparableCase& c) {
  const auto image = test::pattern<T>(c.image);
  const auto at = [&](VectorLevel level) {
    const auto separable = make_separable_correlation(
        {c.image, Boundary::mirror, PixelType::float32, level}, stencil_of(c));
    return test::apply_whole<float>(*separable, image)[0].voxels;
  };
  const auto expected = at(VectorLevel::baseline);
  for (int level = 1; level <= static_cast<int>(vector_level()); ++level)
    EXPECT_EQ(expected, at(static_cast<VectorLevel>(level)));
}

TEST_P(SeparableCorrelation, GivesTheSameBitsAtEveryVectorLevel) {
  expect_same_at_every_level<float>(GetParam());
  expect_same_at_every_level<std::uint8_t>(GetParam());
}

TEST(SeparableCorrelation, SumsBoxesOfSmallIntegersExactly) {
  const auto image = test::pattern<std::uint8_t>({1, 40, 60});
  const auto sum = [&](double scale) {
    return make_separable_correlation(
        {image.extent, Boundary::wrap},
        separable_stencil({1}, std::vector<double>(13, scale), std::vector<double>(19, 1)));
  };
  const auto got = test::apply_whole<float>(*sum(1), image)[0];
  for (std::int64_t y = 0; y < 40; ++y)
    for (std::int64_t x = 0; x < 60; ++x) {
      int expected = 0;
      for (std::int64_t i = y - 6; i <= y + 6; ++i)
        for (std::int64_t j = x - 9; j <= x + 9; ++j)
          expected += image.view()(0, (i + 40) % 40, (j + 60) % 60);
      ASSERT_EQ(got.view()(0, y, x), static_cast<float>(expected));
    }
}

/// Sums of more voxels than 32 bits hold are made in another way.
template <class T>
void expect_mean_of(T value, std::int64_t rows, std::int64_t columns) {
  Volume<T> image{{1, 9, 70}};
  std::fill(image.voxels.begin(), image.voxels.end(), value);
  const auto separable = make_separable_correlation(
      {image.extent, Boundary::nearest},
      separable_stencil({1}, weights_of(box, rows), weights_of(box, columns)));
  const auto got = test::apply_whole<float>(*separable, image)[0];
  for (const float mean : got.voxels)
    ASSERT_NEAR(mean, value, 1e-6 * std::abs(static_cast<double>(value)))
        << rows << " x " << columns;
}

TEST(SeparableCorrelation, KnowsTheMeanOfTheLargestIntegers) {
  for (const std::int64_t rows : {1, 2, 180, 181, 182, 183})
    for (const std::int64_t columns : {1, 3, 181, 16383}) {
      expect_mean_of<std::uint16_t>(65535, rows, columns);
      expect_mean_of<std::int16_t>(-32768, rows, columns);
    }
  expect_mean_of<std::int8_t>(-128, 257, 65281);
}

TEST(SeparableCorrelation, KeepsNanWhereItsWeightsReach) {
  Volume<float> image{{1, 19, 60}};
  image.view()(0, 9, 20) = std::numeric_limits<float>::quiet_NaN();
  for (const Weights form : {symmetric, box, any}) {
    const auto separable = make_separable_correlation(
        {image.extent}, separable_stencil({1}, weights_of(form, 7), weights_of(form, 5)));
    const auto got = test::apply_whole<float>(*separable, image)[0];
    for (std::int64_t y = 0; y < 19; ++y)
      for (std::int64_t x = 0; x < 60; ++x)
        ASSERT_EQ(std::isnan(got.view()(0, y, x)), std::abs(y - 9) <= 3 && std::abs(x - 20) <= 2);
  }
}

TEST(SeparableCorrelation, RefusesWeightsThatDoNotGoTogether) {
  SeparableStencil stencil = separable_stencil({1}, {1, 2}, {1, 2, 3});
  stencil.terms[0].planes[0].y.push_back(1);
  test::expect_failure<InvalidSpec>(
      [&] {
        make_separable_correlation({{1, 4, 4}}, stencil);
      },
      {"3 weights", "along y"});
  stencil.terms.clear();
  test::expect_failure<InvalidSpec>(
      [&] {
        make_separable_correlation({{1, 4, 4}}, stencil);
      },
      {"no products"});
}

}  // namespace
}  // namespace synthoscope::kernels
