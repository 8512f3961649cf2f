// SPDX-License-Identifier: MIT
// A convolution by sums gives on a device what it gives on the host, however it is cut.
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kDeviceBytes = std::int64_t{4} << 30;

constexpr test::Manner kManners[] = {
    {Boundary::zero, Shape::same, false, false, PixelType::uint8},
    {Boundary::zero, Shape::full, true, false, PixelType::uint16},
    {Boundary::zero, Shape::valid, false, false, PixelType::float32},
    {Boundary::nearest, Shape::same, false, false, PixelType::int16},
    {Boundary::reflect, Shape::same, true, false, PixelType::float64},
    {Boundary::mirror, Shape::same, false, false, PixelType::int32},
    {Boundary::wrap, Shape::valid, true, false, PixelType::uint32},
};

/// Weights along three axes, multiplied.
Volume<double> product_kernel(const Extent3& extent) {
  const auto weight = [](std::int64_t i, std::int64_t n) {
    return 0.3 + static_cast<double>((7 * i + 3) % n) / static_cast<double>(n);
  };
  Volume<double> kernel{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        kernel.view()(z, y, x) = weight(z, extent.z) * weight(y, extent.y) * weight(x, extent.x);
  return kernel;
}

class SumsOnDevice : public cuda::GpuTest, public testing::WithParamInterface<test::SizeCase> {};

TEST_P(SumsOnDevice, GiveWhatTheHostGivesHoweverTheyAreCut) {
  const test::SizeCase& sizes = GetParam();
  Machine ample{std::int64_t{8} << 30};
  ample.gpu = Gpu{info.name, info.capability, device::block_limits(info), kDeviceBytes};
  ample.gpu_only = true;
  for (const test::Manner& manner : kManners) {
    if (!test::is_defined(sizes.image, sizes.kernel, manner.shape)) continue;
    SCOPED_TRACE(testing::Message() << name_of(manner.boundary) << " " << name_of(manner.shape));
    const auto image = test::whole_numbers(sizes.image, 21, 120);
    const auto kernel = product_kernel(sizes.kernel);
    Problem problem = test::problem_of(sizes.image, sizes.kernel, manner);
    problem.may_sum = problem.is_product = true;
    const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
    for (const Strategy strategy : {Strategy::direct, Strategy::separable}) {
      const auto expected = test::run_plan(plan_convolution(problem, {ample.host_bytes}, strategy),
                                           image, kernel, 2, manner.type)
                                .result;
      const Plan whole = plan_convolution(problem, ample, strategy);
      ASSERT_EQ(whole.where, Place::gpu);
      Machine tight = ample;
      tight.gpu->memory_bytes = std::max<std::int64_t>(whole.device_bytes() / 3, 262144);
      const auto executor = make_device_executor(info, kDeviceBytes, ample);
      const auto ran = test::run_plan_on(*executor, whole, image, kernel, 1, manner.type);
      EXPECT_LE(test::largest_difference(ran.result, expected), 2e-6 * peak) << name_of(strategy);
      EXPECT_LE(ran.report.peak_device_bytes, whole.device_bytes()) << explain(whole);
      EXPECT_LE(ran.report.peak_memory_bytes, whole.memory_bytes()) << explain(whole);
      const Plan cut = plan_convolution(problem, tight, strategy);
      const auto cut_small = make_device_executor(info, tight.gpu->memory_bytes, tight);
      EXPECT_EQ(test::run_plan_on(*cut_small, cut, image, kernel, 3, manner.type).result.voxels,
                ran.result.voxels)
          << "other bits in bricks of " << cut.cut.result;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Awkward, SumsOnDevice, testing::ValuesIn(test::kAwkwardSizes),
                         test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
