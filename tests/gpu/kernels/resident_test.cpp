// SPDX-License-Identifier: MIT
// An operation on an image that lies on a device makes what it makes of one that travels.
#include "kernels/device/bricks/resident.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/resample/resample.hpp"
#include "kernels/variance/local_variance.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels::device {
namespace {

class Resident : public cuda::GpuTest {
 protected:
  /// The results of all statistics of `operation`, made with `room` bytes of working memory.
  template <class To, class From>
  std::vector<Volume<To>> run(Operation& operation, const Volume<From>& image, std::int64_t room) {
    const Extent3 e = operation.extent();
    const auto count = static_cast<std::int64_t>(operation.types().size());
    const cuda::DeviceBuffer<From> there{device, memory, volume(image.extent), "image"};
    const cuda::DeviceBuffer<To> made{device, memory, count * volume(e), "results"};
    const cuda::Stream stream{device};
    cuda::enqueue_copy(stream, there.data(), image.voxels.data(), there.bytes());
    stream.finish();
    std::vector<VoxelView> results;
    for (std::int64_t i = 0; i < count; ++i)
      results.emplace_back(reinterpret_cast<std::byte*>(made.data() + i * volume(e)),
                           pixel_type_of<To>(), e);
    MemoryBudget working{room, 0, "--gpu-memory"};
    TaskPool pool{4};
    StopFlag stop;
    run_resident(
        operation, info,
        {reinterpret_cast<const std::byte*>(there.data()), pixel_type_of<From>(), image.extent},
        results, working, pool, stop);
    std::vector<Volume<To>> volumes;
    for (std::int64_t i = 0; i < count; ++i) {
      cuda::enqueue_copy(stream, volumes.emplace_back(e).voxels.data(), made.data() + i * volume(e),
                         volume(e) * std::int64_t{sizeof(To)});
      stream.finish();
    }
    return volumes;
  }
};

constexpr std::int64_t kMuch = std::int64_t{1} << 30;

TEST_F(Resident, FiltersMakeTheBitsOfBricks) {
  const auto image = test::pattern<std::uint16_t>({9, 61, 73});
  for (const Boundary boundary :
       {Boundary::reflect, Boundary::mirror, Boundary::nearest, Boundary::wrap, Boundary::zero})
    for (const Extent3 size : {Extent3{3, 5, 5}, Extent3{1, 4, 7}, Extent3{1, 1, 31}}) {
      SCOPED_TRACE(testing::Message() << name_of(boundary) << " " << size.x);
      std::vector<double> weights;
      for (std::int64_t i = 0; i < volume(size); ++i)
        weights.push_back(static_cast<double>((i * 7 + i * i) % 11) - 4);
      const auto filter = make_filter({image.extent, boundary}, correlation_stencil(size, weights));
      const auto expected =
          test::run_on_device<float>(info, *filter.operation, image, std::int64_t{1} << 20);
      EXPECT_EQ(run<float>(*filter.operation, image, kMuch)[0].voxels, expected.voxels);
    }
}

TEST_F(Resident, PlanesMadeSomeAtATimeAreTheSame) {
  const auto image = test::pattern<float>({31, 40, 50});
  LocalVarianceSpec spec;
  spec.windows = {{WindowShape::box, 5, 5, 5}};
  spec.statistics = {LocalStatistic::mean, LocalStatistic::variance};
  const auto operation = local_variance(spec, image.extent, PixelType::float32);
  const auto at_once = run<float>(*operation, image, kMuch);
  const std::int64_t all = operation->on_device()->working_bytes(operation->extent());
  ASSERT_GT(all, 0);
  const auto in_parts = run<float>(*operation, image, all / 2);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(in_parts[i].voxels, at_once[i].voxels);
}

TEST_F(Resident, ImagesAreLookedUp) {
  const auto image = test::pattern<float>({9, 40, 50});
  for (const Interpolation interpolation :
       {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
    ResampleSpec spec;
    spec.result = {11, 30, 45};
    spec.interpolation = interpolation;
    Resample operation{image.extent,
                       std::make_shared<AffineMap>(Affine{
                           {{{0.8, 0.01, 0, 0.2}, {0.02, 1.1, 0.1, -1}, {0, -0.1, 0.9, 2}}}}),
                       spec};
    const auto expected = test::run_on_device<float>(info, operation, image, std::int64_t{1} << 20);
    EXPECT_EQ(run<float>(operation, image, kMuch)[0].voxels, expected.voxels);
  }
}

TEST_F(Resident, TooLittleWorkingMemoryIsRefused) {
  const auto image = test::pattern<float>({3, 40, 50});
  LocalVarianceSpec spec;
  spec.windows = {{WindowShape::box, 3, 3, 3}};
  const auto operation = local_variance(spec, image.extent, PixelType::float32);
  EXPECT_THROW(run<float>(*operation, image, 1), PlanError);
}

}  // namespace
}  // namespace synthoscope::kernels::device
