// SPDX-License-Identifier: MIT
// A device takes local statistics as the host does.
#include "kernels/local_variance.hpp"
#include <array>
#include "core/cuda/buffer.hpp"
#include "core/cuda/device_stream.hpp"
#include "core/memory_stream.hpp"
#include "kernels/device_operation.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

struct VarianceCase {
  const char* name;
  Extent3 image;
  std::vector<LocalWindow> windows;
  bool in_order_of_host = true;  ///< merges are made in; sums of another order round otherwise
  PixelType type = PixelType::float32;
};

LocalWindow flat(WindowShape shape, double size) {
  return {shape, shape == WindowShape::gaussian ? 0.0 : 1.0, size, size};
}

const VarianceCase kCases[] = {
    {"voxel", {1, 1, 1}, {flat(WindowShape::triangle, 4)}, false},
    {"row", {1, 1, 700}, {flat(WindowShape::triangle, 16)}, false},
    {"column", {1, 700, 1}, {flat(WindowShape::triangle, 32)}, false},
    {"scales",
     {1, 301, 523},
     {flat(WindowShape::triangle, 2), flat(WindowShape::triangle, 4),
      flat(WindowShape::triangle, 8), flat(WindowShape::triangle, 16),
      flat(WindowShape::triangle, 32)}},
    {"some_scales",
     {3, 67, 211},
     {flat(WindowShape::triangle, 4), flat(WindowShape::triangle, 8)},
     false},
    {"odd_triangle", {1, 67, 211}, {flat(WindowShape::triangle, 6)}},
    {"integers", {1, 67, 211}, {flat(WindowShape::triangle, 8)}, true, PixelType::uint16},
    {"box", {1, 67, 211}, {flat(WindowShape::box, 13)}},
    {"box_of_three", {1, 67, 211}, {flat(WindowShape::box, 3)}, true, PixelType::uint8},
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

class DeviceVariance : public cuda::GpuTest, public testing::WithParamInterface<VarianceCase> {
 protected:
  template <class T>
  void expect_results_of_host(const LocalVarianceSpec& spec, const Volume<T>& image) {
    const auto operation = local_variance(spec, image.extent, pixel_type_of<T>());
    const Box3 all = whole(image.extent);
    // A box of its own, with what it needs alone
    const Box3 part = intersection({{image.extent.z / 3, image.extent.y / 5, image.extent.x / 4},
                                    {image.extent.z, image.extent.y, image.extent.x / 2 + 1}},
                                   all);
    for (const Box3& box : {all, part}) {
      const Box3 held = operation->needs(box);
      if (!contains(image.extent, held)) continue;
      const Volume<T> window = test::cut(image, held);
      const std::size_t results = operation->types().size();
      const std::int64_t bytes = volume(box.size) * size_of(spec.type);
      std::vector<std::vector<std::byte>> expected(results), got(results);
      std::vector<VoxelView> views;
      for (auto& result : expected) {
        result.resize(static_cast<std::size_t>(bytes));
        views.emplace_back(result.data(), spec.type, box.size);
      }
      const StoredCounts before = operation->stored();
      operation->apply({image.extent, held, window.view()}, box, views, pool);
      const StoredCounts counted = operation->stored();

      const cuda::Stream stream{device};
      DeviceOperation& there = *operation->on_device();
      there.prepare({info, memory, pool}, pixel_type_of<T>(), box.size, stream);
      const cuda::DeviceBuffer<T> in{device, memory, volume(held.size), "window"};
      cuda::enqueue_copy(stream, in.data(), window.voxels.data(), in.bytes());
      std::vector<cuda::DeviceBuffer<std::byte>> out;
      std::vector<std::byte*> made;
      for (std::size_t i = 0; i < results; ++i) {
        out.emplace_back(device, memory, bytes, "result");
        made.push_back(out.back().data());
      }
      there.enqueue_apply(
          stream,
          {image.extent, held, pixel_type_of<T>(), reinterpret_cast<const std::byte*>(in.data())},
          box, made);
      for (std::size_t i = 0; i < results; ++i) {
        got[i].resize(static_cast<std::size_t>(bytes));
        cuda::enqueue_copy(stream, got[i].data(), out[i].data(), bytes);
      }
      there.finish(stream);
      stream.finish();
      for (std::size_t i = 0; i < results; ++i) expect_same(expected[i], got[i], i);
      EXPECT_EQ(operation->stored().clipped - counted.clipped, counted.clipped - before.clipped);
    }
  }

  static void expect_same(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                          std::size_t result) {
    if (GetParam().in_order_of_host) {
      EXPECT_EQ(expected, got) << "result " << result;
      return;
    }
    const auto* const a = reinterpret_cast<const float*>(expected.data());
    const auto* const b = reinterpret_cast<const float*>(got.data());
    for (std::size_t i = 0; i < expected.size() / sizeof(float); ++i)
      ASSERT_NEAR(a[i], b[i], 2e-6 * std::abs(a[i]) + 1e-4) << "result " << result << " at " << i;
  }

  TaskPool pool{2};
};

INSTANTIATE_TEST_SUITE_P(Windows, DeviceVariance, testing::ValuesIn(kCases), test::kCaseName);

TEST_P(DeviceVariance, IsThatOfTheHostUnderEveryBoundary) {
  for (const Boundary boundary :
       {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap}) {
    LocalVarianceSpec spec;
    spec.windows = GetParam().windows;
    spec.statistics = {LocalStatistic::mean, LocalStatistic::variance,
                       LocalStatistic::standard_deviation};
    spec.boundary = boundary;
    spec.type = GetParam().type;
    expect_results_of_host(spec, test::pattern<float>(GetParam().image));
    expect_results_of_host(spec, test::pattern<std::uint8_t>(GetParam().image));
  }
}

}  // namespace
}  // namespace synthoscope::kernels
