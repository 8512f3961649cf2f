// SPDX-License-Identifier: MIT
// Frequency parts on a device give what the host gives, whoever folds, and take what was counted.
#include "core/stream/store_as.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/device/parts/run.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "tests/gpu/device_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"

namespace synthoscope::fftconv {
namespace {

using test::kDeviceBytes, test::kLarge, test::Parts, test::plan_in_parts;

struct PartsCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t along_z, along_y;  ///< numbers of parts; 0: not along y
  test::Manner manner;
};

using enum Boundary;
using enum Shape;
constexpr PartsCase kPartsCases[] = {
    {"cube", {24, 23, 21}, {24, 23, 21}, 1, 3, {zero, same, false, false, PixelType::uint16}},
    {"full", {19, 17, 33}, {19, 17, 33}, 2, 4, {zero, full, true, false, PixelType::float32}},
    {"valid", {40, 25, 18}, {11, 25, 6}, 3, 8, {zero, valid, false, false, PixelType::float64}},
    {"small", {9, 20, 14}, {19, 11, 31}, 4, 1, {zero, same, false, false, PixelType::uint8}},
    {"nearest", {22, 15, 16}, {7, 4, 5}, 8, 2, {nearest, same, false, true, PixelType::int16}},
    {"reflect", {31, 14, 9}, {13, 9, 14}, 4, 3, {reflect, same, true, false, PixelType::int8}},
    {"mirror", {17, 33, 12}, {6, 12, 5}, 3, 4, {mirror, same, false, false, PixelType::int32}},
    {"wrap", {25, 19, 27}, {25, 19, 27}, 2, 1, {wrap, same, true, true, PixelType::uint32}},
    {"closed", {24, 20, 27}, {24, 20, 5}, 2, 3, {wrap, same, false, false, PixelType::uint16}},
    {"flat", {1, 61, 64}, {1, 61, 64}, 8, 0, {zero, same, false, false, PixelType::uint16}},
    {"long_rows", {6, 5, 1501}, {6, 3, 97}, 1, 2, {zero, same, false, false, PixelType::float32}},
};

class PartsOnDevice : public cuda::GpuTest, public testing::WithParamInterface<PartsCase> {};

TEST_P(PartsOnDevice, GiveWhatTheHostGives) {
  const PartsCase& c = GetParam();
  const auto executor = make_device_executor(info, kDeviceBytes, kLarge);
  const auto image = test::whole_numbers(c.image, 41, 120);
  const auto kernel = test::noise(c.kernel, 42, -0.2, 1);
  const Problem problem = test::problem_of(c.image, c.kernel, c.manner);
  const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
  Problem in_double = problem;
  in_double.precision = Precision::float64;
  const auto exact = test::run_plan(plan_convolution(in_double, kLarge, Strategy::in_core), image,
                                    kernel, 2, c.manner.type)
                         .result;
  const int threads = available_threads();  // they compile, too
  for (const bool along_y : {false, true}) {
    Parts parts{along_y ? c.along_y : c.along_z, along_y};
    if (parts.number == 0) continue;
    const auto on_host =
        test::run_plan(plan_in_parts(problem, parts), image, kernel, 2, c.manner.type).result;
    for (const bool device_folds : {false, true}) {
      SCOPED_TRACE(testing::Message() << parts.number << " parts" << (along_y ? " along y" : "")
                                      << (device_folds ? ", the device folds" : ""));
      parts.device_folds = device_folds;
      parts.on_disk = !device_folds && parts.number == 3;
      const Plan plan = plan_in_parts(problem, parts, info);
      const auto here =
          test::run_plan_on(*executor, plan, image, kernel, threads, c.manner.type).result;
      EXPECT_LE(test::largest_difference(here, on_host), 2e-6 * peak);
      EXPECT_LE(test::largest_difference(here, exact), 1e-6 * peak);
      const auto again = test::run_plan_on(*executor, plan, image, kernel, 1, c.manner.type).result;
      EXPECT_EQ(again.voxels, here.voxels) << "another run gives other bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, PartsOnDevice, testing::ValuesIn(kPartsCases), test::kCaseName);

class PartsMemory : public cuda::GpuTest {
 protected:
  PartsMemory() {
    problem_.image = problem_.kernel = kExtent;
    problem_.center = {24, 45, 50};
  }

  /// Runs with no more memory than the plan says.
  void expect_as_counted(const Plan& plan) const {
    const auto image = test::whole_numbers(kExtent, 41, 120), kernel = test::noise(kExtent, 43);
    MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
    MemoryBudget on_device{plan.device_bytes(), 0, "--gpu-memory"};
    MemoryBudget on_host{plan.memory_bytes()};
    TaskPool pool{4};
    NoProgress progress;
    NoLog log;
    StopFlag stop;
    Volume<float> result{kExtent};
    MemorySink sink{VoxelView{result.view()}};
    StoreAs store{PixelType::float32};
    const Term term{&f, {&g, 0, 1}, {}};
    device::run_parts_on_device(info, on_device, plan, term, store, sink, {},
                                {pool, on_host, progress, log, stop});
    EXPECT_EQ(on_device.peak(), plan.device_bytes());
    EXPECT_LE(on_host.peak(), plan.memory_bytes());
    EXPECT_EQ(on_device.used(), 0);
    EXPECT_EQ(on_host.used(), 0);
  }

  static constexpr Extent3 kExtent{48, 90, 100};
  Problem problem_;
};

TEST_F(PartsMemory, IsWhatThePlanSays) {
  for (const bool device_folds : {false, true})
    expect_as_counted(plan_in_parts(problem_, {2, false, false, device_folds}, info));
}

TEST_F(PartsMemory, IsWhatThePlannerPromises) {
  Machine machine = kLarge;
  machine.gpu_only = true;
  for (const std::int64_t mib : {6, 4096}) {
    machine.gpu = Gpu{info.name, info.capability, device::block_limits(info), mib << 20};
    const Plan plan = plan_convolution(problem_, machine, Strategy::parts);
    EXPECT_EQ(plan.cut.fold_on_device, mib == 4096) << explain(plan);
    EXPECT_LE(plan.device_bytes(), mib << 20);
    expect_as_counted(plan);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
