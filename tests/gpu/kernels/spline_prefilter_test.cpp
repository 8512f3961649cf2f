// SPDX-License-Identifier: MIT
// A device fits splines as the host does, to the last bit.
#include <algorithm>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "kernels/device/splines/prefilter.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels::device {
namespace {

struct SplineCase {
  const char* name;
  Extent3 image;
  SplineAxes axes;
  Box3 positions;
  PixelType type = PixelType::float32;
  std::int64_t shift = 0;  ///< elements before the window: rows then do not begin where sets may
};

constexpr SplineAxes kPlane{false, true}, kRow{false, false}, kVolume{true, true},
    kAcross{true, false};

const SplineCase kCases[] = {
    {"voxel", {1, 1, 1}, kPlane, {{}, {1, 1, 1}}},
    {"small", {1, 5, 7}, kPlane, {{}, {1, 5, 7}}},
    {"plane", {1, 301, 256}, kPlane, {{}, {1, 301, 256}}},
    {"long_plane", {1, 3001, 128}, kPlane, {{}, {1, 3001, 128}}},
    {"plane_moved", {1, 97, 256}, kPlane, {{}, {1, 97, 256}}, PixelType::float32, 1},
    {"odd_plane", {1, 97, 523}, kPlane, {{}, {1, 97, 523}}},
    {"about_the_image", {1, 37, 200}, kPlane, {{0, -15, -15}, {1, 67, 230}}},
    {"part", {1, 137, 200}, kPlane, {{0, 25, 33}, {1, 40, 101}}, PixelType::uint8},
    {"part_of_whole_sets", {1, 137, 400}, kPlane, {{0, 25, 31}, {1, 40, 256}}, PixelType::uint16},
    {"rows", {3, 37, 300}, kRow, {{}, {3, 37, 300}}, PixelType::int16},
    {"stack", {40, 19, 104}, kVolume, {{}, {40, 19, 104}}},
    {"two_planes", {2, 19, 104}, kVolume, {{}, {2, 19, 104}}, PixelType::float64},
    {"tall_stack", {1500, 3, 20}, kVolume, {{}, {1500, 3, 20}}},
    {"part_of_stack", {60, 41, 77}, kVolume, {{7, 3, 20}, {21, 30, 41}}, PixelType::uint16},
    {"about_the_stack", {20, 9, 34}, kVolume, {{-15, -15, -15}, {50, 39, 64}}},
    {"rows_and_planes", {40, 9, 34}, kAcross, {{3, 1, 2}, {30, 7, 30}}, PixelType::uint8},
};

class DeviceSplineFit : public cuda::GpuTest, public testing::WithParamInterface<SplineCase> {
 protected:
  template <class T>
  void expect_bits_of_host(Boundary boundary) {
    const SplineCase& c = GetParam();
    constexpr float kFill = 7.5F;
    const Box3 held = held_box(boundary, spline_positions(c.axes, c.positions), c.image);
    const Volume<T> image = test::pattern<T>(c.image);
    Volume<T> window{held.size};
    copy_positions<T>(whole_window(image.view()), boundary, held, T{},
                      HostView3<T>{window.voxels.data(), held.size});

    const Box3 kept = spline_kept(boundary, c.axes, c.positions, c.image);
    std::vector<float> expected(static_cast<std::size_t>(volume(kept.size)));
    fit_spline({c.image, held, window.view()}, boundary, c.axes, c.positions, kFill,
               HostView3<float>{expected.data(), kept.size}, vector_level(), pool);

    const cuda::Stream stream{device};
    const DeviceSpline spline{info, c.type, boundary, c.axes};
    const cuda::DeviceBuffer<T> in{device, memory, volume(held.size) + c.shift, "window"};
    cuda::enqueue_copy(stream, in.data() + c.shift, window.voxels.data(),
                       volume(held.size) * std::int64_t{sizeof(T)});
    const std::int64_t floats =
        DeviceSpline::working_floats(boundary, c.axes, c.positions, c.image);
    const cuda::DeviceBuffer<float> working{device, memory, std::max<std::int64_t>(floats, 1),
                                            "planes"};
    const cuda::DeviceBuffer<float> made{device, memory, volume(c.positions.size) + c.shift,
                                         "coefficients"};
    spline.enqueue(stream,
                   {c.image, held, c.type, reinterpret_cast<const std::byte*>(in.data() + c.shift)},
                   c.positions, kFill, made.data() + c.shift, working.data());
    std::vector<float> found(static_cast<std::size_t>(volume(c.positions.size)));
    cuda::enqueue_copy(stream, found.data(), made.data() + c.shift,
                       volume(c.positions.size) * std::int64_t{sizeof(float)});
    stream.finish();

    const auto& [origin, size] = c.positions;
    for (std::int64_t z = 0; z < size.z; ++z) {
      const std::int64_t plane =
          held_index(boundary, origin.z + z, c.image.z, kept.origin.z, kept.size.z);
      for (std::int64_t i = 0; i < size.y * size.x; ++i)
        ASSERT_EQ(found[static_cast<std::size_t>(z * size.y * size.x + i)],
                  expected[static_cast<std::size_t>(plane * size.y * size.x + i)])
            << name_of(boundary) << ", plane " << z << ", row " << i / size.x << ", column "
            << i % size.x;
    }
  }

  TaskPool pool{2};
};

TEST_P(DeviceSplineFit, HasTheBitsOfTheHost) {
  for (const Boundary boundary :
       {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
    visit_pixel_type(GetParam().type,
                     [&](auto zero) { expect_bits_of_host<decltype(zero)>(boundary); });
}

INSTANTIATE_TEST_SUITE_P(Windows, DeviceSplineFit, testing::ValuesIn(kCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::kernels::device
