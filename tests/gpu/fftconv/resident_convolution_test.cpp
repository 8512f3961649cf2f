// SPDX-License-Identifier: MIT
// The two convolutions of an iteration in a device's memory are those of the host, and each other's
// adjoints.
#include "fftconv/device/resident_convolution.hpp"
#include <cmath>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/resident_stream.hpp"
#include "tests/gpu/device_geometries.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::deconvolution {
namespace {

using fftconv::device::ResidentConvolution;
using fftconv::device::Side;
using synthoscope::test::largest_difference;
using synthoscope::test::largest_magnitude;
using synthoscope::test::TestContext;
using test::device_geometries;

double dot(const Volume<float>& a, const Volume<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i)
    sum += static_cast<double>(a.voxels[i]) * static_cast<double>(b.voxels[i]);
  return sum;
}

Volume<float> converted(const Volume<double>& volume) {
  return test::in_single(volume);
}

/// A convolution on a device that is given volumes of the host.
class FromHost {
 public:
  FromHost(const cuda::DeviceInfo& info, const Geometry& geometry, const Volume<double>& kernel)
      : device_{info.id},
        kernel_{kernel},
        image_source_{info.id, {nullptr, PixelType::float32, estimate_extent(geometry)}},
        convolution_{info,
                     memory_,
                     fftconv::device::resident_plan(blur_problem(geometry), info),
                     {&image_source_, {&kernel_source_, 0, 1}, {}}} {
    convolution_.prepare(stream_, test_.pool);
    convolution_.read_kernel(stream_, memory_, test_.context);
  }

  Volume<float> blurred(const Volume<float>& light, const Extent3& field) {
    load(Side::image, light);
    convolution_.convolve(stream_);
    return given(Side::result, field);
  }

  Volume<float> correlated(const Volume<float>& residual, const Extent3& estimate) {
    load(Side::result, residual);
    convolution_.correlate(stream_);
    return given(Side::image, estimate);
  }

 private:
  void load(Side side, const Volume<float>& voxels) {
    there_ = {device_, memory_, volume(voxels.extent), "voxels"};
    cuda::enqueue_copy(stream_, there_.data(), voxels.voxels.data(), there_.bytes());
    convolution_.load(stream_, side, reinterpret_cast<const std::byte*>(there_.data()));
    stream_.finish();
  }

  Volume<float> given(Side side, const Extent3& extent) {
    there_ = {device_, memory_, volume(extent), "voxels"};
    convolution_.give(stream_, side, reinterpret_cast<std::byte*>(there_.data()));
    Volume<float> result{extent};
    cuda::enqueue_copy(stream_, result.voxels.data(), there_.data(), there_.bytes());
    stream_.finish();
    return result;
  }

  TestContext test_;
  MemoryBudget memory_{std::int64_t{2} << 30, 0, "--gpu-memory"};
  cuda::DeviceId device_;
  cuda::Stream stream_{device_};
  Volume<double> kernel_;
  MemorySource kernel_source_{ConstVoxelView{std::as_const(kernel_).view()}};
  cuda::ResidentSource image_source_;
  cuda::DeviceBuffer<float> there_;
  ResidentConvolution convolution_;
};

using ResidentConvolutions = cuda::GpuTest;

TEST_F(ResidentConvolutions, AreEachOthersAdjoints) {
  for (const Geometry& geometry : device_geometries()) {
    SCOPED_TRACE(testing::Message() << geometry.field << " by " << geometry.kernel);
    const Extent3 e = estimate_extent(geometry);
    const auto kernel = test::noise(geometry.kernel, 1, -0.2, 1);
    const auto x = converted(test::noise(e, 2, -1, 1)),
               y = converted(test::noise(geometry.field, 3, -1, 1));
    FromHost there{info, geometry, kernel};
    const auto hx = there.blurred(x, geometry.field), hy = there.correlated(y, e);
    EXPECT_NEAR(dot(hx, y), dot(x, hy), 1e-6 * std::sqrt(dot(hx, hx) * dot(y, y)));
  }
}

TEST_F(ResidentConvolutions, AreThoseOfTheHost) {
  for (const Geometry& geometry : device_geometries()) {
    SCOPED_TRACE(testing::Message() << geometry.field << " by " << geometry.kernel);
    const Extent3 e = estimate_extent(geometry);
    const auto kernel = test::noise(geometry.kernel, 1, -0.2, 1), x = test::noise(e, 2, -1, 1),
               y = test::noise(geometry.field, 3, -1, 1);
    FromHost there{info, geometry, kernel};
    // The kernel's transfer function serves again after a run
    for (int run = 0; run < 2; ++run) {
      const auto hx = test::blurred(geometry, x, kernel);
      EXPECT_LE(largest_difference(there.blurred(converted(x), geometry.field), hx),
                2e-6 * largest_magnitude(hx));
      const auto hy = test::projected_back(geometry, y, kernel);
      EXPECT_LE(largest_difference(there.correlated(converted(y), e), hy),
                2e-6 * largest_magnitude(hy));
    }
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution
