// SPDX-License-Identifier: MIT
// Planes that clusters of blocks transform give the results of rows and columns one after the
// other, and the same bits every time.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "fftconv/device/passes/cluster_passes.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Volumes that lie in a device's memory are described, not read.
class Described final : public Source {
 public:
  Described(const Extent3& extent, PixelType type) : extent_{extent}, type_{type} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }
  void read(const Box3& /*box*/, VoxelView /*to*/) override {}

 private:
  Extent3 extent_;
  PixelType type_;
};

struct PlaneCase {
  const char* name;
  PlaneShape planes;
  std::int64_t length_z;
  Extent3 image, kernel;
  PixelType type = PixelType::float32;
  bool thin = false;  ///< no transform along z
  Boundary boundary = Boundary::zero;
  bool misaligned = false;  ///< voxels begin where no copy can
};

std::ostream& operator<<(std::ostream& out, const PlaneCase& c) {
  return out << c.name;
}

const PlaneShape kSquare{{32, 1, {8, 4}}, {8, 1, {8}}, 4, 1, 32, 2};
const PlaneShape kPairs{{32, 1, {8, 4}}, {8, 1, {8}}, 4, 2, 32, 2};
const PlaneShape kFours{{32, 1, {8, 4}}, {8, 1, {8}}, 2, 4, 32, 2};
const PlaneShape kTwoStages{{48, 1, {6, 8}}, {12, 1, {4, 3}}, 6, 2, 96, 1};
const PlaneShape kSixteen{{256, 1, {16, 16}}, {16, 1, {16}}, 16, 1, 256, 1};
const PlaneShape kOneStage{{16, 1, {16}}, {32, 1, {8, 4}}, 8, 1, 64, 1};
const PlaneShape kWhole{{256, 1, {16, 16}}, {32, 1, {4, 8}}, 16, 1, 256, 3};
const PlaneShape kThousand{{500, 1, {20, 25}}, {25, 1, {5, 5}}, 10, 4, 256, 2};
const PlaneShape kOfTable{{256, 1, {16, 16}}, {16, 1, {16}}, 8, 4, 256, 2};

const PlaneCase kCases[] = {
    {"whole_rows", kSquare, 8, {8, 32, 64}, {3, 5, 7}},
    {"rows_and_voxels_left_free", kSquare, 16, {9, 25, 52}, {5, 7, 12}},
    {"two_classes", kPairs, 64, {60, 60, 60}, {5, 5, 5}},
    {"four_classes", kFours, 64, {50, 64, 64}, {15, 3, 3}},
    {"four_classes_rows_left_free", kFours, 64, {50, 50, 40}, {15, 15, 24}},
    {"two_stages_of_columns", kTwoStages, 36, {30, 140, 90}, {7, 5, 7}},
    {"sixteen_blocks", kSixteen, 40, {36, 250, 500}, {2, 7, 9}},
    {"one_stage_of_rows", kOneStage, 6, {5, 256, 30}, {2, 1, 3}},
    {"512_to_the_2_of_the_table", kOfTable, 32, {20, 500, 508}, {13, 13, 5}},
    {"bytes", kPairs, 32, {20, 50, 48}, {5, 5, 5}, PixelType::uint8},
    {"16_bits", kFours, 32, {20, 50, 56}, {5, 5, 5}, PixelType::uint16},
    {"16_bits_odd_rows", kFours, 32, {20, 50, 51}, {5, 5, 5}, PixelType::uint16},
    {"32_bits", kSquare, 8, {6, 30, 60}, {3, 3, 5}, PixelType::int32},
    {"double_precision", kSquare, 8, {6, 30, 60}, {3, 3, 5}, PixelType::float64},
    {"voxels_at_odd_addresses",
     kPairs,
     32,
     {20, 60, 64},
     {5, 5, 1},
     PixelType::float32,
     false,
     Boundary::zero,
     true},
    {"mirrored", kFours, 32, {17, 50, 48}, {5, 5, 5}, PixelType::float32, false, Boundary::mirror},
    {"thin_kernels", kSquare, 1, {7, 30, 60}, {3, 3, 5}, PixelType::float32, true},
    {"thin_kernels_four_classes", kFours, 1, {7, 60, 60}, {2, 5, 5}, PixelType::float32, true},
    {"one_plane", kTwoStages, 1, {1, 140, 90}, {1, 5, 7}, PixelType::float32, true},
    {"planes_by_themselves", kSquare, 1, {300, 30, 60}, {1, 3, 5}, PixelType::float32, true},
    {"512_to_the_2_by_themselves", kWhole, 1, {50, 500, 508}, {1, 13, 5}, PixelType::float32, true},
    {"16_bits_by_themselves", kWhole, 1, {9, 500, 504}, {1, 5, 9}, PixelType::uint16, true},
    {"mirrored_by_themselves",
     kSquare,
     1,
     {11, 26, 52},
     {1, 5, 5},
     PixelType::float32,
     true,
     Boundary::mirror},
    {"rows_of_1000", kThousand, 20, {5, 990, 980}, {2, 11, 21}},
};

/// Whole numbers that all types hold, as the type's bytes, behind `shift` bytes.
std::vector<std::byte> typed(const Volume<double>& voxels, PixelType type, std::int64_t shift) {
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(shift + volume(voxels.extent) * size_of(type)));
  visit_pixel_type(type, [&]<class T>(T /*tag*/) {
    std::byte* to = bytes.data() + shift;
    for (const double voxel : voxels.voxels) {
      const auto value = static_cast<T>(std::floor(voxel));
      std::memcpy(to, &value, sizeof value);
      to += sizeof value;
    }
  });
  return bytes;
}

class PlaneRuns : public cuda::GpuTest {
 protected:
  cuda::DeviceBuffer<std::byte> sent(const std::vector<std::byte>& bytes) {
    cuda::DeviceBuffer<std::byte> there{device, memory, static_cast<std::int64_t>(bytes.size()),
                                        "voxels"};
    const cuda::Stream stream{device};
    cuda::enqueue_copy(stream, there.data(), bytes.data(), there.bytes());
    stream.finish();
    return there;
  }

  /// Convolves twice; both must have the same bits.
  std::vector<float> convolved(const PlaneCase& c, const PlanePasses& passes) {
    Problem problem;
    problem.image = c.image;
    problem.kernel = c.kernel;
    problem.center = {c.kernel.z / 2, c.kernel.y / 3, c.kernel.x - 1};
    problem.boundary = c.boundary;
    const Extent3 transform{c.length_z, c.planes.rows_of_plane(), 2 * c.planes.rows.length};
    Cut cut{wanted_extent(problem)};
    cut.keep_transfer = true;
    cut.direct_z = c.thin;
    cut.batch_planes = 3;
    const Layout layout = make_layout(problem, transform, cut);
    DeviceLayout sizes = make_device_layout(problem, transform, cut, block_limits(info));
    sizes.fused = passes;
    sizes.keeps_transfer = true;
    sizes.ring_planes = layout.ring_planes;

    const std::int64_t shift = c.misaligned ? 4 : 0;
    const auto image = sent(typed(synthoscope::test::noise(c.image, 1, 0, 200), c.type, shift));
    const auto kernel =
        sent(typed(synthoscope::test::noise(c.kernel, 2, 0, 100), PixelType::float32, 0));
    Described image_source{c.image, c.type}, kernel_source{c.kernel, PixelType::float32};
    const Term term{&image_source, {&kernel_source, 0, 1}, {}};
    Spectra spectra{info, memory, layout, sizes, false};
    const Loading f = spectra.describe(image_input(layout, WorkAxes{}, term, 0));
    const Loading g = spectra.describe(kernel_input(layout, term.kernel));
    const RingTurnTables turn = spectra.describe(ring_turns_of(layout).front());
    if (c.thin) spectra.describe_planes(f);
    cuda::Stream stream{device};
    synthoscope::test::TestContext here{2};
    spectra.prepare(stream, here.pool);

    const Extent3 wanted{layout.z.wanted, layout.y.wanted, layout.x.wanted};
    const cuda::DeviceBuffer<float> there{device, memory, volume(wanted), "result"};
    std::vector<float> results[2];
    for (auto& result : results) {
      spectra.take_kernel(stream, g, kernel.data(), {0, layout.kernel_planes});
      spectra.finish_kernel(stream);
      // The planes of an image that is mirrored come in another order
      const auto& planes = f.input.plane_source;
      const std::int64_t plane_bytes = c.image.y * c.image.x * size_of(c.type);
      const bool in_order = c.boundary == Boundary::zero;
      const std::int64_t step = in_order ? layout.z.loaded : 1;
      for (std::int64_t i = 0; i < layout.z.loaded; i += step) {
        const std::byte* const from =
            image.data() + shift +
            (in_order ? 0 : planes[static_cast<std::size_t>(i)]) * plane_bytes;
        if (spectra.convolves_planes())
          spectra.convolve_planes(stream, f, from, {i, step}, wanted.y, wanted.x,
                                  there.data() + i * wanted.y * wanted.x);
        else
          spectra.take_image(stream, f, from, {i, step});
      }
      if (!spectra.convolves_planes()) {
        spectra.convolve(stream, turn);
        spectra.give(stream, {0, layout.z.wanted}, wanted.y, wanted.x, there.data());
      }
      result.resize(static_cast<std::size_t>(volume(wanted)));
      cuda::enqueue_copy(stream, result.data(), there.data(), there.bytes());
      stream.finish();
    }
    EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(float)),
              0);
    return results[0];
  }
};

class WholePlanes : public PlaneRuns, public testing::WithParamInterface<PlaneCase> {};

/// Relative L2.
double difference(const std::vector<float>& found, const std::vector<float>& expected) {
  EXPECT_EQ(found.size(), expected.size());
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    const double one = found[i], other = expected[i];
    sum += (one - other) * (one - other);
    size += other * other;
  }
  return std::sqrt(sum / size);
}

constexpr double kTolerance = 6e-7;

TEST_P(WholePlanes, GiveWhatRowsAndColumnsGive) {
  const PlaneCase& c = GetParam();
  const PlanePasses passes = plane_passes(c.planes, c.thin ? 0 : c.length_z, block_limits(info));
  if (!block_limits(info).clusters) GTEST_SKIP() << info.name << " has no clusters of blocks";
  ASSERT_TRUE(passes.any());
  EXPECT_LT(difference(convolved(c, passes), convolved(c, {})), kTolerance);
}

TEST_F(PlaneRuns, OfTheTableGiveWhatRowsAndColumnsGive) {
  if (!block_limits(info).clusters) GTEST_SKIP() << info.name << " has no clusters of blocks";
  for (const PlaneShape& shape : tuned_planes()) {
    const std::int64_t length_z = 48, rows = shape.rows_of_plane();
    const PlanePasses passes = plane_passes(shape, length_z, block_limits(info));
    ASSERT_TRUE(passes.any());
    const PlaneCase c{
        "table", shape, length_z, {40, rows - 12, 2 * shape.rows.length - 4}, {5, 13, 5}};
    EXPECT_LT(difference(convolved(c, passes), convolved(c, {})), kTolerance) << rows;
  }
}

TEST_F(PlaneRuns, GoByRowsAndColumnsWhereADeviceRefuses) {
  const PlaneCase& c = kCases[0];
  PlanePasses refused = plane_passes(c.planes, c.length_z, block_limits(info));
  if (!refused.any()) GTEST_SKIP() << info.name << " has no clusters of blocks";
  refused.planes.threads = 2048;
  EXPECT_EQ(convolved(c, refused), convolved(c, {}));
}

INSTANTIATE_TEST_SUITE_P(Shapes, WholePlanes, testing::ValuesIn(kCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv::device
