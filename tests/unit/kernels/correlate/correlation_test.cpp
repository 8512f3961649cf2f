// SPDX-License-Identifier: MIT
#include "kernels/correlate/correlation.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/volume/stored_voxel.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using test::kBoundaries;

/// Weights that differ everywhere, of both signs.
Stencil stencil_of(const Extent3& extent) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < volume(extent); ++i)
    weights.push_back(test::pattern_value<double>(i + 1000) * 1e-3);
  return correlation_stencil(extent, std::move(weights));
}

double sum_of_magnitudes(const Stencil& stencil) {
  double sum = 0;
  for (const double weight : stencil.weights) sum += std::abs(weight);
  return sum;
}

TEST(PlainCorrelation, SumsWhatStandsUnderEachWeight) {
  const auto image = test::pattern<float>({3, 4, 5});
  const Stencil stencil = stencil_of({2, 3, 4});
  for (const Boundary boundary : kBoundaries) {
    const auto plain =
        make_plain_correlation({image.extent, boundary, PixelType::float64}, stencil);
    const auto got = test::apply_whole<double>(*plain, image)[0];
    for (std::int64_t z = 0; z < 3; ++z)
      for (std::int64_t y = 0; y < 4; ++y)
        for (std::int64_t x = 0; x < 5; ++x) {
          double expected = 0;
          for (std::int64_t k = 0; k < 24; ++k) {
            const std::int64_t iz = mapped_index(boundary, z + k / 12 - 1, 3);
            const std::int64_t iy = mapped_index(boundary, y + k / 4 % 3 - 1, 4);
            const std::int64_t ix = mapped_index(boundary, x + k % 4 - 2, 5);
            if (iz != kOutside && iy != kOutside && ix != kOutside)
              expected += stencil.weights[static_cast<std::size_t>(k)] * image.view()(iz, iy, ix);
          }
          ASSERT_NEAR(got.view()(z, y, x), expected, 1e-9) << name_of(boundary);
        }
  }
}

TEST(PlainCorrelation, ConvolvesWithTheFlippedStencil) {
  Volume<float> image{{1, 1, 9}};
  image.voxels[4] = 1;
  // A point becomes the kernel, its voxel K / 2 on the point
  const auto convolve = make_plain_correlation({image.extent, Boundary::zero},
                                               convolution_stencil({1, 1, 4}, {1, 2, 3, 4}));
  EXPECT_EQ(test::apply_whole<float>(*convolve, image)[0].voxels,
            (std::vector<float>{0, 0, 1, 2, 3, 4, 0, 0, 0}));
  const auto correlate = make_plain_correlation({image.extent, Boundary::zero},
                                                correlation_stencil({1, 1, 4}, {1, 2, 3, 4}));
  EXPECT_EQ(test::apply_whole<float>(*correlate, image)[0].voxels,
            (std::vector<float>{0, 0, 0, 4, 3, 2, 1, 0, 0}));
}

struct CorrelationCase {
  const char* name;
  Extent3 image, stencil;
};

constexpr CorrelationCase kCases[] = {
    {"one_voxel", {1, 1, 1}, {3, 3, 3}},
    {"two_voxels", {1, 1, 2}, {1, 1, 5}},
    {"one_row", {1, 1, 131}, {1, 1, 7}},
    {"one_column", {1, 97, 1}, {1, 6, 1}},
    {"one_plane", {1, 61, 83}, {1, 5, 3}},
    {"two_rows_of_weights", {1, 23, 67}, {1, 2, 9}},
    {"a_row_of_weights", {3, 23, 67}, {1, 1, 9}},
    {"a_weight", {3, 7, 41}, {1, 1, 1}},
    {"even", {1, 64, 64}, {1, 4, 6}},
    {"wider_than_the_image", {1, 7, 5}, {1, 21, 24}},
    {"many_weights", {1, 40, 70}, {1, 33, 19}},
    {"a_long_row_of_weights", {1, 3, 70}, {1, 2, 601}},
    {"volume", {13, 17, 37}, {3, 5, 4}},
    {"volume_of_weights", {7, 9, 11}, {9, 8, 7}},
    {"planes_of_weights", {29, 3, 5}, {11, 1, 1}},
    {"many_tiles", {20, 70, 530}, {3, 3, 3}},
    {"in_the_place_of_the_image", {2, 150, 700}, {1, 3, 3}},
};

class DirectCorrelation : public testing::TestWithParam<CorrelationCase> {};
INSTANTIATE_TEST_SUITE_P(Sizes, DirectCorrelation, testing::ValuesIn(kCases), test::kCaseName);

template <class T>
void expect_close_to_plain(const CorrelationCase& c) {
  const auto image = test::pattern<T>(c.image);
  const Stencil stencil = stencil_of(c.stencil);
  const double scale = sum_of_magnitudes(stencil) * test::largest_magnitude(image);
  for (const Boundary boundary : kBoundaries) {
    const auto plain = make_plain_correlation({c.image, boundary, PixelType::float64}, stencil);
    const auto direct = make_direct_correlation({c.image, boundary}, stencil);
    EXPECT_LE(test::largest_difference(test::apply_whole<double>(*plain, image)[0],
                                       test::apply_whole<float>(*direct, image)[0]),
              1e-6 * scale)
        << name_of(boundary);
  }
}

TEST_P(DirectCorrelation, EqualsTheDefinitionInEveryBoundaryMode) {
  expect_close_to_plain<float>(GetParam());
  expect_close_to_plain<std::uint8_t>(GetParam());
  expect_close_to_plain<std::int16_t>(GetParam());
}

TEST_P(DirectCorrelation, GivesTheSameBitsHoweverCut) {
  const CorrelationCase& c = GetParam();
  const auto image = test::pattern<std::uint16_t>(c.image);
  for (const Boundary boundary : kBoundaries) {
    const auto direct = make_direct_correlation({c.image, boundary}, stencil_of(c.stencil));
    SCOPED_TRACE(name_of(boundary));
    test::expect_same_in_bricks<float>(*direct, image);
  }
}

TEST_P(DirectCorrelation, GivesTheSameBitsAtEveryVectorLevel) {
  const CorrelationCase& c = GetParam();
  const auto image = test::pattern<float>(c.image);
  const auto at = [&](VectorLevel level) {
    const auto direct = make_direct_correlation(
        {c.image, Boundary::mirror, PixelType::float32, level}, stencil_of(c.stencil));
    return test::apply_whole<float>(*direct, image)[0].voxels;
  };
  const auto expected = at(VectorLevel::baseline);
  for (int level = 1; level <= static_cast<int>(vector_level()); ++level)
    EXPECT_EQ(expected, at(static_cast<VectorLevel>(level)));
}

TEST(DirectCorrelation, RoundsAndClipsIntegersAndCountsTheClipped) {
  Volume<std::uint8_t> image{{1, 1, 4}};
  image.voxels = {0, 1, 5, 255};
  const auto halved = make_direct_correlation({image.extent, Boundary::zero, PixelType::uint8},
                                              correlation_stencil({1, 1, 1}, {0.5}));
  // Ties go to the even neighbour
  EXPECT_EQ(test::apply_whole<std::uint8_t>(*halved, image)[0].voxels,
            (std::vector<std::uint8_t>{0, 0, 2, 128}));
  EXPECT_EQ(halved->stored_counts().clipped, 0);
  const auto doubled = make_direct_correlation({image.extent, Boundary::zero, PixelType::uint8},
                                               correlation_stencil({1, 1, 1}, {-60}));
  EXPECT_EQ(test::apply_whole<std::uint8_t>(*doubled, image)[0].voxels,
            (std::vector<std::uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(doubled->stored_counts().clipped, 3);
}

template <class T>
void expect_stored_as(float value) {
  Volume<float> image{{1, 1, 1}};
  image.voxels = {value};
  const auto same = make_direct_correlation({image.extent, Boundary::zero, pixel_type_of<T>()},
                                            correlation_stencil({1, 1, 1}, {1}));
  const T stored = test::apply_whole<T>(*same, image)[0].voxels[0];
  EXPECT_EQ(stored, rounded<T>(value)) << value << " as " << name_of(pixel_type_of<T>());
  EXPECT_EQ(same->stored_counts().clipped, in_range<T>(value) ? 0 : 1)
      << value << " as " << name_of(pixel_type_of<T>());
}

// About the ends of the types, and where sums with the rounder leave its exponent
TEST(DirectCorrelation, ClipsWhatNarrowIntegersDoNotHold) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float end : {0.0F, 127.0F, 128.0F, 255.0F, 32767.0F, 32768.0F, 65535.0F, 0x1p22F,
                          0x1.8p23F, 0x1p31F, kInfinity, kNan})
    for (const float beside : {-0.5F, 0.0F, 0.5F})
      for (const float magnitude : {std::nextafter(end + beside, 0.0F), end + beside,
                                    std::nextafter(end + beside, kInfinity)})
        for (const float value : {magnitude, -magnitude}) {
          expect_stored_as<std::uint8_t>(value);
          expect_stored_as<std::int8_t>(value);
          expect_stored_as<std::uint16_t>(value);
          expect_stored_as<std::int16_t>(value);
        }
}

TEST(DirectCorrelation, KeepsNanWhereItsWeightsReach) {
  Volume<float> image{{1, 9, 40}};
  image.view()(0, 4, 20) = std::numeric_limits<float>::quiet_NaN();
  const auto direct = make_direct_correlation({image.extent}, stencil_of({1, 5, 3}));
  const auto got = test::apply_whole<float>(*direct, image)[0];
  for (std::int64_t y = 0; y < 9; ++y)
    for (std::int64_t x = 0; x < 40; ++x)
      EXPECT_EQ(std::isnan(got.view()(0, y, x)), std::abs(y - 4) <= 2 && std::abs(x - 20) <= 1);
  EXPECT_EQ(direct->stored_counts().non_finite, 15);
}

TEST(DirectCorrelation, RefusesWeightsThatAreNotNumbers) {
  Stencil stencil = stencil_of({1, 1, 3});
  stencil.weights[1] = std::numeric_limits<double>::infinity();
  test::expect_failure<InvalidSpec>(
      [&] {
        make_direct_correlation({{1, 1, 5}}, stencil);
      },
      {"weight 1", "inf"});
  stencil.weights.pop_back();
  test::expect_failure<InvalidSpec>(
      [&] {
        make_plain_correlation({{1, 1, 5}}, stencil);
      },
      {"1x1x3", "2 weights"});
}

}  // namespace
}  // namespace synthoscope::kernels
