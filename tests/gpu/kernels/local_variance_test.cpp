// SPDX-License-Identifier: MIT
// A device takes local statistics, and makes contrast even by them, as the host does: every bit is
// the host's.
#include "kernels/variance/local_variance.hpp"
#include <cmath>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/variance/contrast.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

struct VarianceCase {
  const char* name;
  Extent3 image;
  std::vector<LocalWindow> windows;
  PixelType type = PixelType::float32;
};

LocalWindow flat(WindowShape shape, double size) {
  return {shape, shape == WindowShape::gaussian ? 0.0 : 1.0, size, size};
}

const VarianceCase kCases[] = {
    {"voxel", {1, 1, 1}, {flat(WindowShape::triangle, 4)}},
    {"row", {1, 1, 700}, {flat(WindowShape::triangle, 16)}},
    {"column", {1, 700, 1}, {flat(WindowShape::triangle, 32)}},
    {"scales",
     {1, 301, 523},
     {flat(WindowShape::triangle, 2), flat(WindowShape::triangle, 4),
      flat(WindowShape::triangle, 8), flat(WindowShape::triangle, 16),
      flat(WindowShape::triangle, 32)}},
    {"some_scales", {3, 67, 211}, {flat(WindowShape::triangle, 4), flat(WindowShape::triangle, 8)}},
    {"scales_of_integers",
     {2, 67, 211},
     {flat(WindowShape::triangle, 2), flat(WindowShape::triangle, 4)},
     PixelType::uint8},
    {"window_twice",
     {1, 67, 211},
     {flat(WindowShape::triangle, 4), flat(WindowShape::triangle, 4)}},
    {"odd_triangle", {1, 67, 211}, {flat(WindowShape::triangle, 6)}},
    {"integers", {1, 67, 211}, {flat(WindowShape::triangle, 8)}, PixelType::uint16},
    {"box", {1, 67, 211}, {flat(WindowShape::box, 13)}},
    {"box_of_three", {1, 67, 211}, {flat(WindowShape::box, 3)}, PixelType::uint8},
    {"box_of_pieces", {1, 301, 2211}, {flat(WindowShape::box, 31)}},
    {"wide_box", {1, 131, 1203}, {flat(WindowShape::box, 201)}},
    {"box_wider_than_lines", {1, 31, 1203}, {flat(WindowShape::box, 601)}},
    {"box_along_rows", {2, 67, 1211}, {{WindowShape::box, 1, 1, 15}}},
    {"box_along_columns", {2, 67, 211}, {{WindowShape::box, 1, 15, 1}}},
    {"no_box", {1, 31, 47}, {flat(WindowShape::box, 1)}},
    {"stack_box", {23, 31, 147}, {{WindowShape::box, 7, 5, 15}}},
    {"odd_triangles",
     {1, 167, 211},
     {flat(WindowShape::triangle, 3), flat(WindowShape::triangle, 6),
      flat(WindowShape::triangle, 12)}},
    {"triangles_of_rows",
     {1, 67, 211},
     {{WindowShape::triangle, 1, 1, 2}, {WindowShape::triangle, 1, 1, 4}}},
    {"gaussian", {1, 67, 211}, {flat(WindowShape::gaussian, 2.5)}},
    {"gaussian_of_pieces", {1, 301, 2211}, {flat(WindowShape::gaussian, 4)}},
    {"gaussian_of_many", {1, 67, 211}, {flat(WindowShape::gaussian, 12)}},
    {"gaussian_along_columns", {1, 67, 211}, {{WindowShape::gaussian, 0, 2, 0}}},
    {"stack", {13, 31, 47}, {{WindowShape::triangle, 4, 4, 4}, {WindowShape::triangle, 8, 8, 8}}},
    {"stack_gaussian", {13, 31, 47}, {{WindowShape::gaussian, 1, 1.5, 2}}},
};

constexpr Boundary kBoundaries[] = {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap};

class DeviceVariance : public cuda::GpuTest {
 protected:
  using Bytes = std::vector<std::byte>;

  /// Makes all of an image, and a box of it from what that needs alone, on host and device.
  template <class T>
  void expect_results_of_host(Operation& operation, const Volume<T>& image) {
    const Box3 all = whole(image.extent);
    const Box3 part = intersection({{image.extent.z / 3, image.extent.y / 5, image.extent.x / 4},
                                    {image.extent.z, image.extent.y, image.extent.x / 2 + 1}},
                                   all);
    for (const Box3& box : {all, part}) {
      const Box3 held = operation.needs(box);
      if (!contains(image.extent, held)) continue;
      const Volume<T> window = test::cut(image, held);
      const StoredCounts before = operation.stored_counts();
      const std::vector<Bytes> expected = made_here(operation, window, held, box);
      const StoredCounts counted = operation.stored_counts();
      const std::vector<Bytes> got = made_there(operation, window, held, box);
      for (std::size_t i = 0; i < got.size(); ++i)
        expect_same(expected[i], got[i], operation.types()[i], i);
      const StoredCounts counted_there = operation.stored_counts();
      EXPECT_EQ(counted_there.clipped - counted.clipped, counted.clipped - before.clipped);
      EXPECT_EQ(counted_there.non_finite - counted.non_finite,
                counted.non_finite - before.non_finite);
    }
  }

  TaskPool pool{2};

 private:
  static std::int64_t bytes_of(const Operation& operation, const Box3& box) {
    return volume(box.size) * size_of(operation.types().front());
  }

  template <class T>
  std::vector<Bytes> made_here(Operation& operation, const Volume<T>& window, const Box3& held,
                               const Box3& box) {
    std::vector<Bytes> made(operation.types().size());
    std::vector<VoxelView> views;
    for (Bytes& result : made) {
      result.resize(static_cast<std::size_t>(bytes_of(operation, box)));
      views.emplace_back(result.data(), operation.types().front(), box.size);
    }
    operation.apply({operation.extent(), held, window.view()}, box, views, pool);
    return made;
  }

  template <class T>
  std::vector<Bytes> made_there(Operation& operation, const Volume<T>& window, const Box3& held,
                                const Box3& box) {
    const cuda::Stream stream{device};
    DeviceOperation& there = *operation.on_device();
    there.prepare({info, memory, pool}, pixel_type_of<T>(), box.size, stream);
    const cuda::DeviceBuffer<T> in{device, memory, volume(held.size), "window"};
    cuda::enqueue_copy(stream, in.data(), window.voxels.data(), in.bytes());
    std::vector<cuda::DeviceBuffer<std::byte>> out;
    std::vector<std::byte*> results;
    for (std::size_t i = 0; i < operation.types().size(); ++i) {
      out.emplace_back(device, memory, bytes_of(operation, box), "result");
      results.push_back(out.back().data());
    }
    there.enqueue_apply(stream,
                        {operation.extent(), held, pixel_type_of<T>(),
                         reinterpret_cast<const std::byte*>(in.data())},
                        box, results);
    std::vector<Bytes> made(results.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].resize(static_cast<std::size_t>(out[i].bytes()));
      cuda::enqueue_copy(stream, made[i].data(), out[i].data(), out[i].bytes());
    }
    there.finish(stream);
    stream.finish();
    return made;
  }

  /// NaN have bits of their own on devices.
  static void expect_same(const Bytes& expected, const Bytes& got, PixelType type,
                          std::size_t result) {
    if (expected == got) return;
    if (type != PixelType::float32) FAIL() << "result " << result << " has other voxels";
    const auto* const a = reinterpret_cast<const float*>(expected.data());
    const auto* const b = reinterpret_cast<const float*>(got.data());
    for (std::size_t i = 0; i < expected.size() / sizeof(float); ++i)
      ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
          << "result " << result << " at " << i << ": " << a[i] << " and " << b[i];
  }
};

class DeviceWindows : public DeviceVariance, public testing::WithParamInterface<VarianceCase> {};

INSTANTIATE_TEST_SUITE_P(Windows, DeviceWindows, testing::ValuesIn(kCases), test::kCaseName);

TEST_P(DeviceWindows, HaveTheStatisticsOfTheHostUnderEveryBoundary) {
  LocalVarianceSpec spec;
  spec.windows = GetParam().windows;
  spec.statistics = {LocalStatistic::mean, LocalStatistic::variance,
                     LocalStatistic::standard_deviation};
  spec.type = GetParam().type;
  const Extent3& extent = GetParam().image;
  for (const Boundary boundary : kBoundaries) {
    spec.boundary = boundary;
    expect_results_of_host(*local_variance(spec, extent, PixelType::float32),
                           test::pattern<float>(extent));
    expect_results_of_host(*local_variance(spec, extent, PixelType::uint8),
                           test::pattern<std::uint8_t>(extent));
  }
}

TEST_P(DeviceWindows, MakeTheContrastOfTheHostUnderEveryBoundary) {
  ContrastSpec spec;
  spec.windows = GetParam().windows;
  spec.target = 90;
  spec.strength = 0.9;
  spec.type = GetParam().type;
  const Extent3& extent = GetParam().image;
  for (const Boundary boundary : kBoundaries) {
    spec.boundary = boundary;
    expect_results_of_host(*local_contrast(spec, extent), test::pattern<float>(extent));
    expect_results_of_host(*local_contrast(spec, extent), test::pattern<std::uint8_t>(extent));
  }
}

struct StrategyCase {
  const char* name;
  VarianceStrategy strategy;
};

constexpr StrategyCase kStrategies[] = {
    {"two_pass", VarianceStrategy::two_pass}, {"online", VarianceStrategy::online},
    {"pairwise", VarianceStrategy::pairwise}, {"koenig", VarianceStrategy::koenig},
    {"integral", VarianceStrategy::integral},
};

class DeviceStrategies : public DeviceVariance, public testing::WithParamInterface<StrategyCase> {};

INSTANTIATE_TEST_SUITE_P(Strategies, DeviceStrategies, testing::ValuesIn(kStrategies),
                         test::kCaseName);

TEST_P(DeviceStrategies, HaveTheStatisticsOfTheHostUnderEveryBoundary) {
  const std::pair<Extent3, std::vector<LocalWindow>> kImages[] = {
      {{1, 1, 1}, {flat(WindowShape::box, 5)}},
      {{1, 1, 700}, {flat(WindowShape::box, 3)}},
      {{1, 331, 45}, {flat(WindowShape::box, 9), flat(WindowShape::box, 1)}},
      {{2, 67, 211}, {flat(WindowShape::box, 7)}},
      {{13, 31, 47}, {{WindowShape::box, 3, 5, 7}, flat(WindowShape::box, 3)}},
      {{71, 9, 40}, {{WindowShape::box, 9, 1, 3}}},
  };
  LocalVarianceSpec spec;
  spec.strategy = GetParam().strategy;
  spec.statistics = {LocalStatistic::standard_deviation, LocalStatistic::mean,
                     LocalStatistic::variance};
  for (const PixelType type : {PixelType::float32, PixelType::uint16})
    for (const auto& [extent, windows] : kImages)
      for (const Boundary boundary : kBoundaries) {
        if (type != PixelType::float32 && boundary != Boundary::mirror) continue;
        spec.windows = windows;
        spec.boundary = boundary;
        spec.type = type;
        expect_results_of_host(*local_variance(spec, extent, PixelType::uint8),
                               test::pattern<std::uint8_t>(extent));
        expect_results_of_host(*local_variance(spec, extent, PixelType::int16),
                               test::pattern<std::int16_t>(extent));
        if (spec.strategy == VarianceStrategy::integral) continue;
        spec.windows = {{WindowShape::gaussian, windows[0].z - 1, 1.5, 0.7}};
        expect_results_of_host(*local_variance(spec, extent, PixelType::float32),
                               test::pattern<float>(extent));
      }
}

TEST_F(DeviceVariance, IsThatOfTheHostInSmallBricksWithinThePlannedMemory) {
  const Extent3 extent{9, 60, 201};
  const Volume<std::uint8_t> image = test::pattern<std::uint8_t>(extent);
  const auto expect_host = [&](Operation& operation) {
    const Volume<float> got = test::run_on_device<float>(info, operation, image, 1 << 16);
    Volume<float> expected{extent};
    const VoxelView out[] = {expected.view()};
    operation.apply(whole_window(image.view()), whole(extent), out, pool);
    EXPECT_EQ(got.voxels, expected.voxels);
  };
  ContrastSpec contrast;
  contrast.windows = {{WindowShape::triangle, 2, 2, 2}, {WindowShape::triangle, 2, 4, 4}};
  expect_host(*local_contrast(contrast, extent));
  contrast.windows = {flat(WindowShape::triangle, 2), flat(WindowShape::triangle, 4)};
  expect_host(*local_contrast(contrast, extent));
  for (int i = 0; i <= static_cast<int>(VarianceStrategy::integral); ++i) {
    LocalVarianceSpec spec;
    spec.windows = {{WindowShape::box, 3, 5, 7}};
    spec.strategy = static_cast<VarianceStrategy>(i);
    expect_host(*local_variance(spec, extent, PixelType::uint8));
  }
}

}  // namespace
}  // namespace synthoscope::kernels
