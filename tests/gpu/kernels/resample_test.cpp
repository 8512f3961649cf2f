// SPDX-License-Identifier: MIT
// A device looks images up as the host does, to the last bit: every interpolation, boundary and
// strategy, in bricks as at once.
#include "kernels/resample/resample.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <memory>
#include "core/cuda/memory/buffer.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/operation/device_operation.hpp"
#include "tests/gpu/kernels/lookup_case.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels::device {
namespace {

struct ResampleCase {
  const char* name;
  Extent3 image, result;
  Affine affine;
};

Affine in_plane(std::array<double, 6> a) {
  return {{{{1, 0, 0, 0}, {0, a[0], a[1], a[2]}, {0, a[3], a[4], a[5]}}}};
}

const Affine kTurned{{{{0.9, 0.2, -0.1, 0.3}, {-0.2, 0.8, 0.4, -1.1}, {0.1, -0.4, 0.85, 0.7}}}};

const ResampleCase kResampleCases[] = {
    {"same", {2, 3, 5}, {2, 3, 5}, {}},
    {"one_voxel", {1, 1, 1}, {1, 3, 4}, {}},
    {"turned_a_little", {1, 149, 277}, {1, 150, 270}, in_plane({0.99, 0.1, -3.2, -0.1, 0.99, 6})},
    {"turned", {1, 119, 123}, {1, 122, 120}, in_plane({0.8, 0.6, -30.2, -0.6, 0.8, 36.1})},
    {"a_quarter_turn", {1, 70, 150}, {1, 150, 70}, in_plane({0, 1, 0, -1, 0, 149})},
    {"enlarged", {1, 11, 53}, {1, 26, 331}, in_plane({0.5, 0, -0.25, 0, 0.2, -1.3})},
    {"reduced", {1, 141, 467}, {1, 29, 48}, in_plane({5.3, 0, -2, 0, 9.1, -3})},
    {"reduced_and_turned", {1, 161, 267}, {1, 29, 38}, in_plane({5.3, 4, -20, -4, 9.1, 31})},
    {"flipped", {1, 17, 139}, {1, 17, 139}, in_plane({-1, 0, 16, 0, -1, 138})},
    {"one_row", {1, 1, 17}, {1, 1, 300}, in_plane({1, 0, 0, 0, 0.06, -0.7})},
    {"one_column", {1, 17, 1}, {1, 130, 1}, in_plane({0.14, 0, -0.7, 0, 1, 0})},
    {"far_outside", {1, 9, 8}, {1, 10, 9}, in_plane({1e9, 0.6, -2e9, -0.6, 1e12, 3})},
    {"through_planes", {17, 38, 71}, {18, 39, 70}, kTurned},
    {"planes_enlarged",
     {5, 36, 87},
     {21, 37, 89},
     {{{{0.2, 0, 0, 0.1}, {0, 0.9, 0, -0.2}, {0, 0, 0.8, 0.3}}}}},
    {"planes_turned_each",
     {3, 39, 78},
     {3, 40, 79},
     {{{{1, 0, 0, 0}, {0, 0.8, 0.6, -22}, {0, -0.6, 0.8, 23}}}}},
    {"columns_turned_each",
     {26, 9, 78},
     {27, 9, 77},
     {{{{0.8, 0, 0.6, -12}, {0, 1, 0, 0}, {-0.6, 0, 0.8, 13}}}}},
    {"rows_turned_each",
     {26, 29, 38},
     {27, 29, 37},
     {{{{0.8, 0.6, 0, -12}, {-0.6, 0.8, 0, 13}, {0, 0, 1, 0}}}}},
};

class DeviceLookups : public cuda::GpuTest {
 protected:
  template <class From, class To>
  void expect_bits_of_the_host(const ResampleCase& c, Interpolation how, Outside outside,
                               ResampleStrategy strategy,
                               CoordinateProduct coordinates = CoordinateProduct::fused) {
    expect_bits<From, To>(info, c.image, std::make_shared<AffineMap>(c.affine),
                          spec_of<To>(c.result, how, outside), strategy, coordinates);
  }

  [[nodiscard]] static std::vector<ResampleStrategy> strategies(const ResampleCase& c) {
    std::vector<ResampleStrategy> all{ResampleStrategy::pixel, ResampleStrategy::tile};
    if (is_diagonal(c.affine)) all.push_back(ResampleStrategy::column);
    return all;
  }
};

class DeviceResampled : public DeviceLookups, public testing::WithParamInterface<ResampleCase> {};

TEST_P(DeviceResampled, HasTheBitsOfTheHostByEveryStrategy) {
  for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic,
                         Interpolation::lanczos})
    for (const Outside outside : kOutsides)
      for (const ResampleStrategy strategy : strategies(GetParam()))
        expect_bits_of_the_host<float, float>(GetParam(), how, outside, strategy);
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceResampled, testing::ValuesIn(kResampleCases),
                         test::kCaseName);

TEST_F(DeviceLookups, HaveTheBitsOfTheHostForEveryType) {
  for (const ResampleCase& c : kResampleCases) {
    if (c.name != std::string_view{"turned_a_little"} &&
        c.name != std::string_view{"planes_enlarged"})
      continue;
    for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic})
      for (const ResampleStrategy strategy : strategies(c)) {
        expect_bits_of_the_host<std::uint8_t, std::uint8_t>(c, how, Outside::zero, strategy);
        expect_bits_of_the_host<std::uint16_t, float>(c, how, Outside::reflect, strategy);
        expect_bits_of_the_host<float, std::int16_t>(c, how, Outside::nearest, strategy);
        expect_bits_of_the_host<std::uint32_t, std::uint32_t>(c, how, Outside::wrap, strategy);
        expect_bits_of_the_host<double, double>(c, how, Outside::grid_constant, strategy);
      }
  }
}

/// By textures, beside the host.
template <class T>
double texture_error(const cuda::DeviceInfo& device, const ResampleCase& c) {
  const Volume<T> image = voxels_of<T>(c.image);
  const auto map = std::make_shared<AffineMap>(c.affine);
  ResampleSpec spec{c.result, Interpolation::linear, Outside::mirror};
  Resample on_host{c.image, map, spec};
  const Volume<float> expected = test::apply_whole<float>(on_host, image)[0];
  spec.strategy = ResampleStrategy::texture;
  Resample resample{c.image, map, spec};
  const Volume<float> found =
      test::run_on_device<float>(device, resample, image, volume(c.result) * 2);
  double worst = 0;
  for (std::size_t i = 0; i < expected.voxels.size(); ++i)
    worst = std::max(worst, static_cast<double>(std::abs(expected.voxels[i] - found.voxels[i])));
  return worst;
}

TEST_F(DeviceLookups, ErrByAStepOfTheirWeightsWhereTexturesAreUsed) {
  for (const ResampleCase& c : kResampleCases) {
    const bool is_volume = c.name == std::string_view{"through_planes"};
    if (c.name != std::string_view{"turned_a_little"} && !is_volume) continue;
    SCOPED_TRACE(c.name);
    // A step of weights with 8 bits behind the point for each axis
    const double allowed = 250 * (is_volume ? 3 : 2) / 256.0;
    for (const double error : {texture_error<float>(info, c), texture_error<std::uint8_t>(info, c),
                               texture_error<std::uint16_t>(info, c)}) {
      EXPECT_LE(error, allowed);
      EXPECT_GT(error, 1e-3);  // else nothing was looked up there
    }
  }
}

TEST_F(DeviceLookups, ErrByAsLittleWhereATextureHoldsAPartOfTheWindow) {
  const Volume<float> image = voxels_of<float>({5, 149, 277});
  const auto map = std::make_shared<AffineMap>(in_plane({0.99, 0.1, -3.2, -0.1, 0.99, 6}));
  const Box3 box{{2, 71, 133}, {2, 40, 90}};
  ResampleSpec spec{image.extent, Interpolation::linear, Outside::mirror};
  Resample on_host{image.extent, map, spec};
  const Volume<float> expected = test::cut(test::apply_whole<float>(on_host, image)[0], box);
  spec.strategy = ResampleStrategy::texture;
  Resample resample{image.extent, map, spec};
  ASSERT_GT(resample.needs(box).origin.x, 0);

  // The window is the whole image
  const cuda::Stream stream{device};
  TaskPool pool{2};
  DeviceOperation& there = *resample.on_device();
  there.prepare({info, memory, pool}, PixelType::float32, box.size, stream);
  const cuda::DeviceBuffer<float> in{device, memory, volume(image.extent), "an image"};
  const cuda::DeviceBuffer<float> out{device, memory, volume(box.size), "a result"};
  cuda::enqueue_copy(stream, in.data(), image.voxels.data(), in.bytes());
  auto* const made = reinterpret_cast<std::byte*>(out.data());
  there.enqueue_apply(stream,
                      {image.extent, whole(image.extent), PixelType::float32,
                       reinterpret_cast<const std::byte*>(in.data())},
                      box, {&made, 1});
  Volume<float> found{box.size};
  cuda::enqueue_copy(stream, found.voxels.data(), out.data(), out.bytes());
  there.finish(stream);
  for (std::size_t i = 0; i < found.voxels.size(); ++i)
    ASSERT_NEAR(found.voxels[i], expected.voxels[i], 250 * 2 / 256.0) << i;
}

TEST_F(DeviceLookups, RefuseTexturesOfOtherTypes) {
  const Volume<double> image = voxels_of<double>({1, 9, 9});
  ResampleSpec spec{image.extent, Interpolation::linear};
  spec.strategy = ResampleStrategy::texture;
  Resample resample{image.extent, std::make_shared<AffineMap>(Affine{}), spec};
  EXPECT_THROW(test::run_on_device<float>(info, resample, image, 1 << 20), InvalidSpec);
}

TEST_F(DeviceLookups, HaveTheBitsOfTheHostAtCoordinatesMadeBefore) {
  for (const ResampleCase& c : kResampleCases) {
    if (!keeps_planes(c.affine)) continue;
    for (const auto coordinates :
         {CoordinateProduct::naive, CoordinateProduct::tiled, CoordinateProduct::summa})
      for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic,
                             Interpolation::lanczos})
        for (const Outside outside : {Outside::zero, Outside::nearest, Outside::wrap})
          expect_bits_of_the_host<float, float>(c, how, outside, ResampleStrategy::automatic,
                                                coordinates);
    expect_bits_of_the_host<std::uint16_t, std::uint8_t>(c, Interpolation::linear, Outside::mirror,
                                                         ResampleStrategy::pixel,
                                                         CoordinateProduct::tiled);
  }
}

TEST_F(DeviceLookups, CountWhatIsClippedAndWhatIsNoNumber) {
  Volume<float> image{{1, 30, 200}};
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    image.voxels[i] = i % 97 == 0 ? INFINITY : i % 53 == 0 ? NAN : static_cast<float>(i % 400);
  const auto map = std::make_shared<AffineMap>(in_plane({1, 0.1, 0.3, -0.1, 1, 0.4}));
  for (const PixelType type : {PixelType::float32, PixelType::uint8}) {
    const ResampleSpec spec{image.extent, Interpolation::linear, Outside::zero, 0, type};
    Resample on_host{image.extent, map, spec}, resample{image.extent, map, spec};
    if (type == PixelType::float32) {
      test::apply_whole<float>(on_host, image);
      test::run_on_device<float>(info, resample, image, 1 << 20);
    } else {
      test::apply_whole<std::uint8_t>(on_host, image);
      test::run_on_device<std::uint8_t>(info, resample, image, 1 << 20);
    }
    EXPECT_GT(on_host.stored_counts().non_finite, 50);
    EXPECT_EQ(resample.stored_counts().non_finite, on_host.stored_counts().non_finite);
    EXPECT_EQ(resample.stored_counts().clipped, on_host.stored_counts().clipped);
  }
}

TEST_F(DeviceLookups, KeepTheFractionOfCoordinatesBeyondTwoToThe24) {
  const std::int64_t n = (std::int64_t{1} << 24) + 100;
  Volume<std::uint8_t> image{{1, 1, n}};
  for (std::int64_t i = 0; i < n; ++i)
    image.voxels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i % 2 * 100);
  Resample resample{image.extent,
                    std::make_shared<AffineMap>(in_plane({1, 0, 0, 0, 1, 0x1p24 + 0.25})),
                    {{1, 1, 50}, Interpolation::linear, Outside::zero}};
  const auto found = test::run_on_device<float>(info, resample, image, 1 << 26).voxels;
  for (std::size_t x = 0; x < 50; ++x) EXPECT_FLOAT_EQ(found[x], x % 2 ? 75 : 25);
}

}  // namespace
}  // namespace synthoscope::kernels::device
