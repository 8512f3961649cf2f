// SPDX-License-Identifier: MIT
// A plan gives the same on a device as on the host, whatever the strategy and the voxels.
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fftconv {
namespace {

const Machine kLarge{std::int64_t{8} << 30};
constexpr std::int64_t kDeviceBytes = std::int64_t{4} << 30;

/// Beside the awkward ones: the smallest, and lines as long as a device can do at once.
constexpr test::SizeCase kSizes[] = {
    {"voxel", {1, 1, 1}, {1, 1, 1}},         {"deep", {230, 21, 19}, {61, 5, 4}},
    {"long_rows", {3, 5, 4001}, {2, 3, 97}}, {"long_columns", {3, 2999, 9}, {2, 200, 3}},
    {"common", {24, 64, 96}, {9, 9, 9}},
};

constexpr test::Manner kManners[] = {
    {Boundary::zero, Shape::same, false, false, PixelType::uint8},
    {Boundary::zero, Shape::full, true, false, PixelType::uint16},
    {Boundary::zero, Shape::valid, false, false, PixelType::float32},
    {Boundary::nearest, Shape::same, false, true, PixelType::int16},
    {Boundary::reflect, Shape::same, true, false, PixelType::float64},
    {Boundary::mirror, Shape::same, false, false, PixelType::int32},
    {Boundary::wrap, Shape::same, true, false, PixelType::uint32},
    {Boundary::wrap, Shape::valid, false, true, PixelType::float32},
    {Boundary::zero, Shape::same, false, false, PixelType::uint8, test::Wanted::plane},
    {Boundary::zero, Shape::full, true, false, PixelType::float32, test::Wanted::some},
};

/// Every strategy in turn; in core where there is nothing to cut that way.
Plan plan_by_turns(const Problem& problem, int turn, const Machine& machine) {
  constexpr Strategy kInTurn[] = {Strategy::in_core, Strategy::ring, Strategy::tiles};
  try {
    return plan_convolution(problem, machine, kInTurn[turn % 3]);
  } catch (const PlanError&) {
    return plan_convolution(problem, machine, Strategy::in_core);
  }
}

/// For the device alone, by one library.
Machine machine_with(const cuda::DeviceInfo& device, FftLibrary library) {
  Machine machine = kLarge;
  machine.fft = library;
  machine.gpu = Gpu{device.name, device.capability, device::block_limits(device), kDeviceBytes};
  machine.gpu_only = true;
  return machine;
}

class OnDevice : public cuda::GpuTest,
                 public testing::WithParamInterface<std::tuple<test::SizeCase, FftLibrary>> {
 protected:
  void SetUp() override {
    cuda::GpuTest::SetUp();
    if (!IsSkipped() && !is_here(std::get<1>(GetParam()))) GTEST_SKIP() << "cuFFT was not found";
  }
};

TEST_P(OnDevice, GivesWhatTheHostGives) {
  const auto& [sizes, library] = GetParam();
  int runs = 0;
  for (const test::Manner& manner : kManners) {
    if (!test::is_defined(sizes.image, sizes.kernel, manner.shape)) continue;
    const auto image = test::whole_numbers(sizes.image, 21, 120);
    const auto kernel = test::noise(sizes.kernel, 22, -0.2, 1);
    const Problem problem = test::problem_of(sizes.image, sizes.kernel, manner);
    const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
    const Plan plan = plan_by_turns(problem, runs, kLarge);
    const auto expected = test::run_plan(plan, image, kernel, 2, manner.type).result;
    const int threads = available_threads();  // they compile, too
    const Plan there = plan_by_turns(problem, runs, machine_with(info, library));
    ASSERT_EQ(there.where, Place::gpu);
    ASSERT_EQ(there.cut.fft, library);
    const auto executor = make_device_executor(info, kDeviceBytes, kLarge);
    const auto ran = test::run_plan_on(*executor, there, image, kernel, threads, manner.type);
    EXPECT_EQ(ran.report.peak_device_bytes, there.device_bytes()) << explain(there);
    EXPECT_LE(ran.report.peak_memory_bytes, there.memory_bytes()) << explain(there);
    const auto& here = ran.result;
    EXPECT_LE(test::largest_difference(here, expected), 2e-6 * peak)
        << name_of(plan.strategy) << " " << name_of(manner.boundary) << " " << name_of(manner.shape)
        << " " << name_of(manner.type);
    const auto again = test::run_plan_on(*executor, there, image, kernel, 1, manner.type).result;
    EXPECT_EQ(again.voxels, here.voxels) << "another run gives other bits";
    ++runs;
  }
  EXPECT_GE(runs, 5);
}

constexpr FftLibrary kLibraries[] = {FftLibrary::own, FftLibrary::cufft};
constexpr auto kNameOfCase = [](const auto& row) {
  return std::string{std::get<0>(row.param).name} + "_" +
         std::string{name_of(std::get<1>(row.param))};
};
INSTANTIATE_TEST_SUITE_P(Awkward, OnDevice,
                         testing::Combine(testing::ValuesIn(test::kAwkwardSizes),
                                          testing::ValuesIn(kLibraries)),
                         kNameOfCase);
INSTANTIATE_TEST_SUITE_P(Table, OnDevice,
                         testing::Combine(testing::ValuesIn(kSizes), testing::ValuesIn(kLibraries)),
                         kNameOfCase);

class DeviceExecutor : public cuda::GpuTest {};

TEST_F(DeviceExecutor, TakesSmallerBatchesWhereTheDeviceHasLessThanThePlanCountsOn) {
  const Extent3 extent{96, 250, 256}, small{5, 9, 9};
  const auto image = test::noise(extent, 51), kernel = test::noise(small, 52);
  const Problem problem = test::problem_of(extent, small, {});
  const auto plan_with = [&](std::int64_t batch_planes) {
    const Plan plan = plan_convolution(problem, kLarge, Strategy::ring);
    return test::moved(plan, info, batch_planes);
  };
  const Plan large = plan_with(64);
  const auto expected =
      test::run_plan_on(*make_device_executor(info, kDeviceBytes, kLarge), large, image, kernel);

  // What else uses the device leaves no room for batches of 64 planes, but for those of 32
  const std::int64_t room = (plan_with(16).device_bytes() + large.device_bytes()) / 2;
  const std::int64_t free = cuda::memory_of(device).free_bytes;
  ASSERT_GT(free, room);
  MemoryBudget others{free, 0, "the others"};
  const cuda::DeviceBuffer<std::byte> taken{device, others, free - room, "what others take"};
  test::TestContext here{4, kLarge.host_bytes};
  MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
  Volume<double> result{extent};
  MemorySink sink{VoxelView{result.view()}};
  StoreAs store{PixelType::float64};
  const Term term{&f, {&g, 0, 1}, {}};
  make_device_executor(info, kDeviceBytes, kLarge)
      ->run(large, {&term, 1}, store, sink, here.context);
  EXPECT_EQ(result.voxels, expected.result.voxels);
  ASSERT_FALSE(here.log.warnings.empty());
  EXPECT_NE(here.log.warnings.front().find("32 planes are transferred at once"), std::string::npos)
      << here.log.warnings.front();
}

}  // namespace
}  // namespace synthoscope::fftconv
