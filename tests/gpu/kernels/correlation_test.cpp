// SPDX-License-Identifier: MIT
// A device correlates as the host does: every strategy, in bricks as at once, at every boundary.
#include "kernels/correlate/correlation.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include "core/stream/memory_stream.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/operation_case.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr Boundary kBoundaries[] = {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap};

struct CorrelationCase {
  const char* name;
  Extent3 image, weights;
  PixelType from = PixelType::float32, to = PixelType::float32;
};

const CorrelationCase kCorrelationCases[] = {
    {"one_voxel", {1, 1, 1}, {1, 3, 3}},
    {"a_row", {1, 1, 131}, {1, 3, 3}},
    {"a_column", {1, 61, 1}, {1, 15, 15}},
    {"smaller_than_its_kernel", {1, 5, 7}, {1, 15, 15}},
    {"an_image", {1, 149, 277}, {1, 15, 15}},
    {"bytes", {1, 149, 277}, {1, 15, 15}, PixelType::uint8, PixelType::uint8},
    {"rows_of_whole_words", {1, 60, 512}, {1, 3, 5}, PixelType::uint8, PixelType::uint8},
    {"counts_that_are_clipped", {1, 67, 150}, {1, 3, 3}, PixelType::uint16, PixelType::uint16},
    {"an_even_kernel", {1, 67, 150}, {1, 4, 6}, PixelType::uint16, PixelType::float32},
    {"planes_apart", {5, 40, 150}, {1, 3, 3}},
    {"a_large_kernel", {1, 90, 140}, {1, 31, 29}},
    {"a_volume", {19, 37, 150}, {5, 5, 5}},
    {"a_volume_of_counts", {19, 37, 150}, {3, 4, 7}, PixelType::uint16, PixelType::int16},
    {"planes_of_a_few_voxels", {11, 2, 3}, {5, 5, 5}},
};

/// Calls `body(From{}, To{})` with the types of a case.
template <class Body>
void with_types(PixelType from, PixelType to, Body&& body) {
  const auto is = [&](PixelType a, PixelType b) { return from == a && to == b; };
  if (is(PixelType::float32, PixelType::float32)) return body(0.0F, 0.0F);
  if (is(PixelType::uint8, PixelType::uint8)) return body(std::uint8_t{}, std::uint8_t{});
  if (is(PixelType::uint16, PixelType::uint16)) return body(std::uint16_t{}, std::uint16_t{});
  if (is(PixelType::uint16, PixelType::float32)) return body(std::uint16_t{}, 0.0F);
  if (is(PixelType::uint16, PixelType::int16)) return body(std::uint16_t{}, std::int16_t{});
  FAIL() << "no such types here";
}

template <class T>
Volume<T> voxels_of(const Extent3& extent) {
  std::mt19937 random{17};
  Volume<T> image{extent};
  for (T& voxel : image.voxels) voxel = static_cast<T>(random() % 251);
  return image;
}

std::vector<double> weights_of(std::int64_t count) {
  std::mt19937 random{5};
  std::vector<double> weights;
  for (std::int64_t i = 0; i < count; ++i)
    weights.push_back((static_cast<double>(random() % 2001) - 700) / 1000);
  return weights;
}

class DeviceCorrelations : public cuda::GpuTest,
                           public testing::WithParamInterface<CorrelationCase> {};

/// Products of at most `largest`, `count` of them, as float32 sums them; or rounded to integers.
template <class T>
void expect_near(const Volume<T>& expected, const Volume<T>& found, double magnitude) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.voxels.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(expected.voxels[i]) -
                                     static_cast<double>(found.voxels[i])));
  const double allowed = std::is_floating_point_v<T> ? 2e-6 * magnitude : 1.0;
  EXPECT_LE(worst, allowed);
}

template <class T>
double share_that_differs(const Volume<T>& a, const Volume<T>& b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i) count += a.voxels[i] != b.voxels[i];
  return static_cast<double>(count) / static_cast<double>(a.voxels.size());
}

TEST_P(DeviceCorrelations, GiveWhatTheHostGivesByEveryStrategy) {
  const CorrelationCase& c = GetParam();
  const std::vector<double> weights = weights_of(volume(c.weights));
  double magnitude = 0;
  for (const double weight : weights) magnitude += 250 * std::abs(weight);
  const Stencil stencil = correlation_stencil(c.weights, weights);
  with_types(c.from, c.to, [&](auto from, auto to) {
    using From = decltype(from);
    using To = decltype(to);
    const Volume<From> image = voxels_of<From>(c.image);
    for (const Boundary boundary : kBoundaries) {
      const NeighbourhoodSetting setting{c.image, boundary, c.to};
      const auto plain = make_plain_correlation(setting, stencil);
      const Volume<To> expected = test::apply_whole<To>(*plain, image)[0];
      std::optional<Volume<To>> first;
      for (const DirectStrategy strategy :
           {DirectStrategy::global, DirectStrategy::shared, DirectStrategy::registers}) {
        if (!has_room_for(strategy, c.weights)) continue;
        SCOPED_TRACE(testing::Message() << name_of(boundary) << " " << name_of(strategy));
        for (const std::int64_t bytes : {std::int64_t{1} << 26, volume(c.image) * 2}) {
          const auto counted = make_plain_correlation(setting, stencil);
          counted->set_device(make_device_correlation(
              setting, stencil, strategy, [&](const StoredCounts& n) { counted->count(n); }));
          const Volume<To> found = test::run_on_device<To>(info, *counted, image, bytes);
          expect_near(expected, found, magnitude);
          if (!first) first = found;
          EXPECT_EQ(first->voxels, found.voxels) << "not the same bits";
          EXPECT_EQ(counted->stored_counts().clipped > 0, plain->stored_counts().clipped > 0);
          EXPECT_NEAR(static_cast<double>(counted->stored_counts().clipped),
                      static_cast<double>(plain->stored_counts().clipped), 3);
        }
      }
      if (!std::is_floating_point_v<To>) {
        EXPECT_LT(share_that_differs(expected, *first), 0.001);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceCorrelations, testing::ValuesIn(kCorrelationCases),
                         test::kCaseName);

struct SeparableCase {
  const char* name;
  Extent3 image, weights;
  PixelType from = PixelType::float32, to = PixelType::float32;
  int products = 1;
};

const SeparableCase kSeparableCases[] = {
    {"one_voxel", {1, 1, 1}, {1, 3, 3}},
    {"an_image", {1, 149, 277}, {1, 15, 15}},
    {"bytes", {1, 149, 277}, {1, 15, 15}, PixelType::uint8, PixelType::uint8},
    {"counts", {1, 149, 277}, {1, 7, 6}, PixelType::uint16, PixelType::uint16},
    {"bytes_in_whole_words", {1, 149, 512}, {1, 9, 9}, PixelType::uint8, PixelType::uint8},
    {"counts_in_odd_rows", {1, 90, 401}, {1, 15, 33}, PixelType::uint16, PixelType::uint16},
    {"columns_of_bytes", {1, 90, 401}, {1, 9, 1}, PixelType::uint8, PixelType::uint8},
    {"signed_results", {2, 60, 260}, {1, 3, 5}, PixelType::uint16, PixelType::int16},
    {"wide", {1, 149, 277}, {1, 31, 65}},
    {"wider_than_registers", {1, 149, 277}, {1, 33, 161}},
    {"rows_alone", {1, 149, 277}, {1, 1, 9}},
    {"columns_alone", {1, 149, 277}, {1, 9, 1}},
    {"a_volume", {19, 37, 150}, {7, 5, 9}},
    {"a_volume_of_counts", {19, 37, 150}, {7, 5, 9}, PixelType::uint16, PixelType::uint16},
    {"a_volume_of_several_pieces", {5, 40, 140}, {15, 15, 15}},
    {"a_volume_of_bytes", {9, 70, 70}, {3, 8, 17}, PixelType::uint8, PixelType::uint8},
    {"planes_and_columns", {19, 37, 150}, {9, 5, 1}},
    {"planes_and_rows", {19, 37, 150}, {4, 1, 7}},
    {"planes_alone", {19, 37, 150}, {8, 1, 1}},
    {"a_volume_wider_than_registers", {19, 37, 150}, {7, 5, 501}},
    {"a_long_way_through_planes", {40, 3, 5}, {121, 3, 1}},
    {"two_products", {1, 149, 277}, {1, 15, 15}, PixelType::float32, PixelType::float32, 2},
    {"products_of_bytes", {1, 149, 277}, {1, 9, 9}, PixelType::uint8, PixelType::uint8, 3},
    {"products_of_counts_in_odd_rows",
     {2, 90, 401},
     {1, 15, 33},
     PixelType::uint16,
     PixelType::float32,
     4},
    {"products_of_columns", {1, 90, 401}, {1, 9, 1}, PixelType::uint8, PixelType::uint8, 3},
    {"products_in_a_volume", {19, 37, 150}, {7, 5, 9}, PixelType::float32, PixelType::float32, 3},
    {"products_in_a_volume_of_counts",
     {19, 37, 150},
     {4, 1, 7},
     PixelType::uint16,
     PixelType::int16,
     3},
    {"products_wider_than_registers",
     {1, 149, 277},
     {1, 33, 161},
     PixelType::float32,
     PixelType::float32,
     3},
};

class DeviceProducts : public cuda::GpuTest, public testing::WithParamInterface<SeparableCase> {};

TEST_P(DeviceProducts, GiveWhatTheHostGives) {
  const SeparableCase& c = GetParam();
  const auto axis = [](std::int64_t n) {
    auto weights = weights_of(n);
    for (double& weight : weights) weight += 0.4;
    return weights;
  };
  SeparableStencil stencil =
      separable_stencil(axis(c.weights.z), axis(c.weights.y), axis(c.weights.x));
  // Others, from last to first, of which the last has other weights along z
  const auto backwards = [&](std::int64_t n) {
    auto weights = weights_of(n);
    return std::vector(weights.rbegin(), weights.rend());
  };
  for (int i = 1; i < c.products; ++i) {
    const bool is_last = i + 1 == c.products;
    if (is_last) stencil.terms.push_back({backwards(c.weights.z), {}});
    stencil.terms.back().planes.push_back({backwards(c.weights.y), axis(c.weights.x)});
  }
  const Stencil whole_stencil = product(stencil);
  double magnitude = 0;
  for (const double weight : whole_stencil.weights) magnitude += 250 * std::abs(weight);
  with_types(c.from, c.to, [&](auto from, auto to) {
    using From = decltype(from);
    using To = decltype(to);
    const Volume<From> image = voxels_of<From>(c.image);
    for (const Boundary boundary : kBoundaries) {
      const NeighbourhoodSetting setting{c.image, boundary, c.to};
      const auto plain = make_plain_correlation(setting, whole_stencil);
      const Volume<To> expected = test::apply_whole<To>(*plain, image)[0];
      std::optional<Volume<To>> first;
      for (const SeparableStrategy strategy :
           {SeparableStrategy::plain, SeparableStrategy::fused}) {
        SCOPED_TRACE(testing::Message() << name_of(boundary) << " " << static_cast<int>(strategy));
        for (const std::int64_t bytes : {std::int64_t{1} << 26, volume(c.image) * 2}) {
          plain->set_device(make_device_separable(setting, stencil, strategy,
                                                  [&](const StoredCounts& n) { plain->count(n); }));
          const Volume<To> found = test::run_on_device<To>(info, *plain, image, bytes);
          expect_near(expected, found, magnitude);
          if (!first) first = found;
          EXPECT_EQ(first->voxels, found.voxels) << "not the same bits";
        }
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceProducts, testing::ValuesIn(kSeparableCases),
                         test::kCaseName);

}  // namespace
}  // namespace synthoscope::kernels::device
