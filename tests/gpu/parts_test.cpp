// SPDX-License-Identifier: MIT
// Frequency parts on a device give what the host gives, whoever folds, and take what was counted.
#include <algorithm>
#include <cmath>
#include "fftconv/candidates.hpp"
#include "fftconv/device/device_executor.hpp"
#include "fftconv/device/parts_device_run.hpp"
#include "fftconv/epilogues.hpp"
#include "fftconv/run_memory.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::fftconv {
namespace {

const Machine kLarge{std::int64_t{8} << 30};
constexpr std::int64_t kDeviceBytes = std::int64_t{4} << 30;

/// Where parts of a plan lie, and who folds.
struct Manner {
  std::int64_t parts = 1;
  bool along_y = false, on_disk = false, device_folds = false;
};

/// Of the host.
Plan plan_in_parts(const Problem& problem, const Manner& manner) {
  Plan plan = plan_convolution(problem, kLarge, Strategy::parts, manner.parts);
  for (const Candidate& c : parts_candidates(work_problem(problem), HostSite{}, manner.parts))
    if (c.cut.along_y == manner.along_y && c.cut.parts_on_disk == manner.on_disk) {
      plan.transform = c.transform;
      plan.cut = c.cut;
    }
  plan.work = work_problem(problem, plan.cut);
  plan.memory = run_memory_of(plan).host;
  return plan;
}

/// The same for the device.
Plan plan_in_parts(const Problem& problem, const Manner& manner, const cuda::DeviceInfo& device) {
  Plan plan = plan_in_parts(problem, manner);
  plan.where = Place::gpu;
  plan.machine.gpu =
      Gpu{device.name, device.capability, device::block_limits(device), kDeviceBytes};
  plan.cut.fold_on_device = manner.device_folds;
  plan.cut.batch_planes = 3;
  const RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

/// NaN counts as infinitely far.
double farthest(const Volume<double>& a, const Volume<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i) {
    const double difference = std::abs(a.voxels[i] - b.voxels[i]);
    most = std::max(most, difference >= 0 ? difference : HUGE_VAL);
  }
  return most;
}

/// Whole numbers, so that every type holds them.
Volume<double> whole_numbers(const Extent3& extent) {
  auto image = test::noise(extent, 41, 0, 120);
  for (double& v : image.voxels) v = std::floor(v);
  return image;
}

struct PartsCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t along_z, along_y;  ///< numbers of parts; 0: not along y
  Boundary boundary;
  PixelType type;
  Shape shape = Shape::same;
  bool correlate = false, remove_mean = false;
};

constexpr PartsCase kPartsCases[] = {
    {"as_large_as_its_kernel", {24, 23, 21}, {24, 23, 21}, 1, 3, Boundary::zero, PixelType::uint16},
    {"full",
     {19, 17, 33},
     {19, 17, 33},
     2,
     4,
     Boundary::zero,
     PixelType::float32,
     Shape::full,
     true},
    {"valid", {40, 25, 18}, {11, 25, 6}, 3, 8, Boundary::zero, PixelType::float64, Shape::valid},
    {"smaller_than_kernel", {9, 20, 14}, {19, 11, 31}, 4, 1, Boundary::zero, PixelType::uint8},
    {"nearest",
     {22, 15, 16},
     {7, 4, 5},
     8,
     2,
     Boundary::nearest,
     PixelType::int16,
     Shape::same,
     false,
     true},
    {"reflect",
     {31, 14, 9},
     {13, 9, 14},
     4,
     3,
     Boundary::reflect,
     PixelType::int8,
     Shape::same,
     true},
    {"mirror", {17, 33, 12}, {6, 12, 5}, 3, 4, Boundary::mirror, PixelType::int32},
    {"wrap",
     {25, 19, 27},
     {25, 19, 27},
     2,
     1,
     Boundary::wrap,
     PixelType::uint32,
     Shape::same,
     true,
     true},
    {"flat", {1, 61, 64}, {1, 61, 64}, 8, 0, Boundary::zero, PixelType::uint16},
    {"long_rows", {6, 5, 1501}, {6, 3, 97}, 1, 2, Boundary::zero, PixelType::float32},
};

class PartsOnDevice : public cuda::GpuTest, public testing::WithParamInterface<PartsCase> {};

TEST_P(PartsOnDevice, GiveWhatTheHostGives) {
  const PartsCase& c = GetParam();
  const auto executor = make_device_executor(info, kDeviceBytes, kLarge);
  const auto image = whole_numbers(c.image);
  const auto kernel = test::noise(c.kernel, 42, -0.2, 1);
  Problem problem;
  problem.image = c.image;
  problem.kernel = c.kernel;
  problem.center = {c.kernel.z / 2, c.kernel.y / 3, c.kernel.x - 1};
  problem.boundary = c.boundary;
  problem.shape = c.shape;
  problem.correlate = c.correlate;
  problem.remove_mean = c.remove_mean;
  const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
  Problem in_double = problem;
  in_double.precision = Precision::float64;
  const auto exact = test::run_plan(plan_convolution(in_double, kLarge, Strategy::in_core), image,
                                    kernel, 2, c.type)
                         .result;
  const int threads = available_threads();  // they compile, too
  for (const bool along_y : {false, true}) {
    Manner manner{along_y ? c.along_y : c.along_z, along_y};
    if (manner.parts == 0) continue;
    const auto on_host =
        test::run_plan(plan_in_parts(problem, manner), image, kernel, 2, c.type).result;
    for (const bool device_folds : {false, true}) {
      SCOPED_TRACE(testing::Message() << manner.parts << " parts" << (along_y ? " along y" : "")
                                      << (device_folds ? ", the device folds" : ""));
      manner.device_folds = device_folds;
      manner.on_disk = !device_folds && manner.parts == 3;
      const Plan plan = plan_in_parts(problem, manner, info);
      const auto here = test::run_plan_on(*executor, plan, image, kernel, threads, c.type).result;
      EXPECT_LE(farthest(here, on_host), 2e-6 * peak);
      EXPECT_LE(farthest(here, exact), 1e-6 * peak);
      const auto again = test::run_plan_on(*executor, plan, image, kernel, 1, c.type).result;
      EXPECT_EQ(again.voxels, here.voxels) << "another run gives other bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, PartsOnDevice, testing::ValuesIn(kPartsCases), test::kCaseName);

class PartsMemory : public cuda::GpuTest {};

TEST_F(PartsMemory, IsWhatThePlanSays) {
  const Extent3 extent{48, 90, 100};
  const auto image = whole_numbers(extent), kernel = test::noise(extent, 43);
  MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
  Problem problem;
  problem.image = problem.kernel = extent;
  problem.center = {24, 45, 50};
  for (const bool device_folds : {false, true}) {
    const Plan plan = plan_in_parts(problem, {2, false, false, device_folds}, info);
    MemoryBudget on_device{plan.device_bytes(), 0, "--gpu-memory"};
    MemoryBudget on_host{plan.memory_bytes()};
    TaskPool pool{4};
    NoProgress progress;
    NoLog log;
    StopFlag stop;
    Volume<float> result{extent};
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
}

}  // namespace
}  // namespace synthoscope::fftconv
