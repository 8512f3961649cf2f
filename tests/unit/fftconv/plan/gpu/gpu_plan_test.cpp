// SPDX-License-Identifier: MIT
// What the planner makes of a machine with a GPU, on paper: nothing here is run.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/lines/tuned_lines.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "fftconv/plan/gpu/site.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

using test::chosen;
using test::kGiB;
using test::kH200;
using test::kMiB;

/// Of uint16 voxels.
Problem problem_of(const Extent3& image, const Extent3& kernel) {
  Problem p = test::centred_problem(image, kernel);
  p.image_voxel_bytes = p.source_voxel_bytes = 2;
  p.result_voxel_bytes = p.sink_voxel_bytes = 2;
  return p;
}

Machine machine_of(std::int64_t device_bytes, std::int64_t host_bytes = 128 * kGiB) {
  return test::machine_with_gpu(device_bytes, host_bytes, 1);
}

struct GpuCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t device_bytes;
  Place where;
  std::vector<Strategy> strategies;  ///< any of them
};

const GpuCase kGpuCases[] = {
    {"tiny", {32, 64, 64}, {9, 9, 9}, 140 * kGiB, Place::host, {Strategy::in_core}},
    {"a_billion",
     {1000, 1000, 1000},
     {61, 61, 61},
     140 * kGiB,
     Place::gpu,
     {Strategy::in_core, Strategy::ring}},
    {"a_billion_in_8g", {1000, 1000, 1000}, {61, 61, 61}, 8 * kGiB, Place::gpu, {Strategy::ring}},
    {"a_billion_in_1g",
     {1000, 1000, 1000},
     {61, 61, 61},
     kGiB,
     Place::gpu,
     {Strategy::ring, Strategy::tiles}},
    {"ten_billion_in_140g",
     {2154, 2154, 2154},
     {101, 101, 101},
     140 * kGiB,
     Place::gpu,
     {Strategy::in_core, Strategy::ring}},
    {"ten_billion_in_8g",
     {2154, 2154, 2154},
     {101, 101, 101},
     8 * kGiB,
     Place::gpu,
     {Strategy::ring, Strategy::tiles}},
    {"a_trillion_in_140g",
     {10000, 10000, 10000},
     {61, 61, 61},
     140 * kGiB,
     Place::gpu,
     {Strategy::ring, Strategy::tiles}},
    {"a_trillion_in_1g", {10000, 10000, 10000}, {61, 61, 61}, kGiB, Place::gpu, {Strategy::tiles}},
    {"lines_too_long_for_shared_memory",
     {20, 300, 100000},
     {5, 31, 31},
     8 * kGiB,
     Place::gpu,
     {Strategy::tiles}},
    {"thin_kernel",
     {400, 2000, 2000},
     {3, 31, 31},
     8 * kGiB,
     Place::gpu,
     {Strategy::ring, Strategy::in_core}},
    {"flat",
     {1, 30000, 30000},
     {1, 101, 101},
     16 * kGiB,
     Place::gpu,
     {Strategy::in_core, Strategy::ring, Strategy::tiles}},
};

class GpuChoice : public testing::TestWithParam<GpuCase> {
 protected:
  Problem problem_ = problem_of(GetParam().image, GetParam().kernel);
  Machine machine_ = machine_of(GetParam().device_bytes);
  Plan plan_ = plan_convolution(problem_, machine_);
};

TEST_P(GpuChoice, IsMadeForThePlaceThatIsFaster) {
  EXPECT_EQ(plan_.where, GetParam().where) << explain(plan_);
  EXPECT_NE(std::find(GetParam().strategies.begin(), GetParam().strategies.end(), plan_.strategy),
            GetParam().strategies.end())
      << explain(plan_);
  for (const Candidate& c : plan_.candidates)
    if (c.verdict != "chosen" && c.verdict.rfind("beyond", 0) != 0) {
      EXPECT_LE(chosen(plan_).seconds, 1.2 * c.seconds) << explain(plan_);
    }
}

TEST_P(GpuChoice, KeepsBothBudgetsAndIsTheSameEveryTime) {
  EXPECT_LE(plan_.memory_bytes(), machine_.host_bytes);
  EXPECT_LE(plan_.device_bytes(), machine_.gpu->memory_bytes);
  EXPECT_EQ(plan_.memory_bytes(), chosen(plan_).memory_bytes);
  EXPECT_EQ(plan_.device_bytes(), chosen(plan_).device_bytes);
  EXPECT_EQ(plan_.where == Place::gpu, plan_.cut.batch_planes > 0);
  EXPECT_TRUE(plan_ == plan_convolution(problem_, machine_));
}

TEST_P(GpuChoice, CarriesEveryVoxelUpAndDownTheLink) {
  for (const Candidate& c : plan_.candidates) {
    EXPECT_EQ(c.where == Place::gpu, c.up_bytes > 0);
    if (c.where == Place::host) continue;
    EXPECT_GE(c.up_bytes, volume(problem_.image) * 2);
    EXPECT_GE(c.down_bytes, volume(problem_.image) * 2);
    if (c.strategy != Strategy::tiles && c.strategy != Strategy::parts) {
      EXPECT_EQ(c.up_bytes, volume(problem_.image) * 2) << "everything goes up once";
    }
  }
}

TEST_P(GpuChoice, GivesAnEqualPlanBackFromItsFile) {
  const auto text = to_json(plan_);
  const auto again = plan_from_json(text);
  EXPECT_TRUE(again == plan_) << text;
}

TEST_P(GpuChoice, IsNeverPredictedSlowerWithMoreMemoryOfTheGpu) {
  double before = chosen(plan_).seconds;
  for (const std::int64_t more : {2, 4, 16}) {
    const Machine larger = machine_of(GetParam().device_bytes * more);
    const double seconds = chosen(plan_convolution(problem_, larger)).seconds;
    EXPECT_LE(seconds, before * 1.2) << more << " times the budget";  // in-core is preferred
    before = std::min(before, seconds);
  }
}

TEST_P(GpuChoice, NamesTheSmallestMemoryOfTheGpuThatWorks) {
  machine_.gpu_only = true;
  machine_.gpu->memory_bytes = 1;
  const std::int64_t named =
      test::size_behind("--gpu-memory ", [&] { (void)plan_convolution(problem_, machine_); });
  machine_.gpu->memory_bytes = named;
  EXPECT_EQ(plan_convolution(problem_, machine_).where, Place::gpu);
  machine_.gpu->memory_bytes = test::less_than_named(named);
  EXPECT_THROW((void)plan_convolution(problem_, machine_), OutOfDeviceMemory);
}

INSTANTIATE_TEST_SUITE_P(Table, GpuChoice, testing::ValuesIn(kGpuCases), test::kCaseName);

std::string refusal_of(const Problem& problem, const Machine& machine, Strategy wanted) {
  try {
    (void)plan_convolution(problem, machine, wanted);
  } catch (const PlanError& failure) {
    return failure.what();
  }
  return "it was planned";
}

TEST(GpuPlan, LeavesToTheHostWhatOnlyTheHostCan) {
  Problem problem = problem_of({900, 800, 800}, {31, 31, 31});
  Machine machine = machine_of(8 * kGiB);
  EXPECT_EQ(plan_convolution(problem, machine).where, Place::gpu);
  machine.gpu_only = true;
  problem.precision = Precision::float64;
  EXPECT_EQ(refusal_of(problem, machine, Strategy::automatic),
            "plan the convolution of 900x800x800 with 31x31x31: a GPU computes in single "
            "precision; use --precision single, or --gpus none");
  machine.gpu_only = false;
  EXPECT_EQ(plan_convolution(problem, machine).where, Place::host);
}

TEST(GpuPlan, CountsWhatSourcesAndEpiloguesKeepAndWhatTheyMakeThere) {
  Problem problem = problem_of({300, 400, 500}, {31, 31, 31});
  Machine machine = machine_of(8 * kGiB);
  machine.gpu_only = true;
  const Plan alone = plan_convolution(problem, machine, Strategy::in_core);
  problem.gpu_stream_bytes = 123456789;
  const Plan beside = plan_convolution(problem, machine, Strategy::in_core);
  EXPECT_EQ(beside.device_bytes(), alone.device_bytes() + problem.gpu_stream_bytes);
  EXPECT_EQ(beside.memory_bytes(), alone.memory_bytes() + problem.gpu_stream_bytes);
  EXPECT_TRUE(plan_from_json(to_json(beside)) == beside);
  EXPECT_THROW(require_for(alone, problem), InvalidSpec) << "they would not fit";

  problem.image_made_on_gpu = true;
  const Plan made = plan_convolution(problem, machine, Strategy::in_core);
  EXPECT_EQ(chosen(made).up_bytes, 0);
  EXPECT_EQ(chosen(made).down_bytes, chosen(beside).down_bytes);
  EXPECT_LT(made.memory_bytes(), beside.memory_bytes());
  EXPECT_TRUE(plan_from_json(to_json(made)) == made);
  EXPECT_NO_THROW(require_for(beside, problem));
  problem.image_made_on_gpu = false;
  EXPECT_THROW(require_for(made, problem), InvalidSpec) << "no room for voxels that travel";
}

/// Narrower tiles cost the GPU as little, but are written to the file row by row.
TEST(GpuPlan, CutsPlanesIntoTilesOfWholeRows) {
  Problem problem = test::centred_problem({256, 2048, 2048}, {511, 511, 511});
  problem.image_made_on_gpu = true;
  problem.result_voxel_bytes = 6;
  problem.second_voxel_bytes = 2;
  Machine machine = machine_of(std::int64_t{8412608102}, std::int64_t{4868823594});
  machine.rates.cores = 16;
  const Plan plan = plan_convolution(problem, machine, Strategy::tiles);
  ASSERT_EQ(plan.where, Place::gpu);
  EXPECT_EQ(plan.cut.result.x, 2048);
  EXPECT_LT(plan.cut.result.y, 2048);
}

TEST(GpuPlan, UsesTheGpuWhereItIsDemanded) {
  const Problem problem = problem_of({16, 40, 40}, {3, 5, 5});
  Machine machine = machine_of(8 * kGiB);
  const Plan usual = plan_convolution(problem, machine);
  ASSERT_EQ(usual.where, Place::host);
  machine.gpu_only = true;
  EXPECT_EQ(plan_convolution(problem, machine).where, Place::gpu);
}

TEST(GpuPlan, CountsWhatIsPinnedAgainstTheHost) {
  const Problem problem = problem_of({900, 800, 800}, {31, 31, 31});
  Machine machine = machine_of(8 * kGiB);
  machine.gpu_only = true;
  const Plan roomy = plan_convolution(problem, machine);
  EXPECT_GT(roomy.memory_bytes(), 0);
  machine.host_bytes = roomy.memory_bytes() - 1;
  const Plan less = plan_convolution(problem, machine);
  EXPECT_LE(less.memory_bytes(), machine.host_bytes);
  EXPECT_LT(less.cut.batch_planes, roomy.cut.batch_planes) << "batches shrink first";
  machine.host_bytes = 1000;
  machine.host_bytes =
      test::size_behind("--memory ", [&] { (void)plan_convolution(problem, machine); });
  EXPECT_EQ(plan_convolution(problem, machine).where, Place::gpu);
  machine.host_bytes = test::less_than_named(machine.host_bytes);
  EXPECT_THROW((void)plan_convolution(problem, machine), PlanError);
}

TEST(GpuPlan, RunsOnlyWhereThereIsSuchAGpu) {
  Machine machine = machine_of(8 * kGiB);
  const Plan plan = plan_convolution(problem_of({900, 800, 800}, {31, 31, 31}), machine);
  ASSERT_EQ(plan.where, Place::gpu);
  EXPECT_NO_THROW(require_fits(plan, machine));
  machine.gpu->name = "another of this kind";
  EXPECT_NO_THROW(require_fits(plan, machine));
  machine.gpu->memory_bytes = plan.device_bytes() - 1;
  EXPECT_THROW(require_fits(plan, machine), OutOfDeviceMemory);
  machine = machine_of(8 * kGiB);
  machine.gpu->capability = 75;
  EXPECT_THROW(require_fits(plan, machine), CudaError);
  machine.gpu.reset();
  try {
    require_fits(plan, machine);
    FAIL() << "it fits";
  } catch (const CudaError& failure) {
    EXPECT_EQ(std::string{failure.what()},
              "run the given plan: it is for a GPU (sm_90), and no GPU is used here; run it on a "
              "machine with one, or make a new plan");
  }
}

TEST(GpuPlan, IsRefusedFromAFileWhereItSumsMorePlanesThanOneLaunchTakes) {
  Machine machine = machine_of(8 * kGiB);
  machine.gpu_only = true;
  const Plan plan =
      plan_convolution(problem_of({40000, 30, 30}, {3, 5, 5}), machine, Strategy::ring);
  Json json = parse_json(to_json(plan));
  json["cut"]["direct_z"] = true;
  json["transform"][0] = 1;
  json["cut"]["result"][0] = kMaxBatchPlanes + 1;
  try {
    (void)plan_from_json(text_of(json));
    FAIL() << "it was read";
  } catch (const InvalidInput& failure) {
    EXPECT_NE(std::string{failure.what()}.find("32769 planes cannot be summed at once"),
              std::string::npos)
        << failure.what();
  }
}

TEST(GpuPlan, IsExplainedWithItsPlaceItsLinkAndItsMemory) {
  const Plan plan =
      plan_convolution(problem_of({900, 800, 800}, {31, 31, 31}), machine_of(8 * kGiB));
  const auto text = explain(plan);
  for (const char* part : {"on the GPU (a GPU)", "where ", "GPU memory", "link", "host  in-core",
                           "and for the GPU a GPU, at the rates of an H200",
                           "memory of the GPU: ", "of a budget of 8.00 GiB"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  for (const auto* items : {&plan.memory, &plan.device_memory})
    for (const MemoryItem& item : *items)
      EXPECT_NE(text.find(item.what), std::string::npos) << text;
  const auto without = explain(plan_convolution(plan.problem, {8 * kGiB}));
  EXPECT_EQ(without.find("GPU"), std::string::npos) << without;
}

TEST(GpuPlan, ComputesLittleWhereTheDiskDecides) {
  Machine machine = machine_of(2 * kGiB);
  machine.gpu_only = true;
  machine.rates.disk_read_bytes_per_second = machine.rates.disk_write_bytes_per_second = 1e9;
  const Problem problem = problem_of({768, 768, 768}, {127, 127, 127});
  const Plan plan = plan_convolution(problem, machine, Strategy::ring);
  // A turn of few planes transforms as many columns as one of many
  EXPECT_GE(plan.cut.result.z, 64) << explain(plan);
}

struct ShareCase {
  std::int64_t length;
  double least, most;  ///< of the copy's speed, as measured on an H200
};

TEST(DeviceCost, IsNearWhatAnH200Does) {
  for (const ShareCase& c : {ShareCase{512, 0.7, 0.95},
                             {576, 0.65, 0.95},
                             {1024, 0.65, 0.9},
                             {1152, 0.6, 0.85},
                             {1536, 0.55, 0.8},
                             {2048, 0.5, 0.75},
                             {3072, 0.3, 0.5}}) {
    const double share = 1 / device::copies_of(c.length, LineKind::along_z, kH200);
    EXPECT_GE(share, c.least) << c.length;
    EXPECT_LE(share, c.most) << c.length;
  }
}

struct CubeCase {
  std::int64_t side;
  double milliseconds;  ///< of a convolution by whole planes, as measured on an H200
};

double milliseconds_of_cube(std::int64_t side, bool alone) {
  Problem problem = test::centred_problem({side, side, side}, {1, 1, 1});
  problem.source_voxel_bytes = sizeof(float);
  Cut cut{wanted_extent(problem)};
  cut.direct_z = alone;
  const Layout layout = make_layout(problem, {alone ? 1 : side, side, side}, cut);
  Gpu gpu{"an H200", 90, kH200, 140 * kGiB};
  gpu.rates.copy = 4.26e12;
  const device::GpuWork work =
      device::gpu_work(layout, problem, cut, device::sizes_of(problem, layout, cut), gpu);
  return 1e3 * (work.forward + work.columns + work.back);
}

// @source docs/benchmarks/gpu-planes.md
TEST(DeviceCost, OfWholePlanesIsNearWhatAnH200Takes) {
  constexpr double kNear = 0.1;
  for (const CubeCase& c : {CubeCase{192, 0.095},
                            {256, 0.169},
                            {320, 0.328},
                            {384, 0.529},
                            {448, 0.877},
                            {512, 1.183},
                            {576, 1.948},
                            {640, 2.446},
                            {768, 4.289},
                            {896, 8.284},
                            {1024, 10.945}})
    EXPECT_NEAR(milliseconds_of_cube(c.side, false), c.milliseconds, kNear * c.milliseconds)
        << c.side;
}

// @source docs/benchmarks/gpu-planes.md
TEST(DeviceCost, OfPlanesByThemselvesIsNearWhatAnH200Takes) {
  constexpr double kNear = 0.1;
  for (const CubeCase& c : {CubeCase{128, 0.025},
                            {192, 0.053},
                            {256, 0.099},
                            {320, 0.262},
                            {384, 0.399},
                            {512, 0.841},
                            {640, 2.092}})
    EXPECT_NEAR(milliseconds_of_cube(c.side, true), c.milliseconds, kNear * c.milliseconds)
        << c.side;
}

TEST(GpuPlans, LeaveOutTheTransformAlongZWhereTheKernelIsOnePlane) {
  const Machine machine = machine_of(140 * kGiB);
  const auto has_any = [&](std::int64_t kernel_planes, const Site& site) {
    const Problem problem = test::centred_problem({64, 480, 480}, {kernel_planes, 33, 33});
    const auto candidates = in_core_candidates(problem, site);
    return std::any_of(candidates.begin(), candidates.end(),
                       [](const Candidate& one) { return one.cut.direct_z; });
  };
  EXPECT_TRUE(has_any(1, device::GpuSite{machine}));
  EXPECT_FALSE(has_any(3, device::GpuSite{machine}));
  EXPECT_FALSE(has_any(1, HostSite{})) << "rings of planes do this on the host";
}

// Packages have code for no others
TEST(GpuPlans, PreferLinesThatWereMeasured) {
  const Machine machine = machine_of(140 * kGiB);
  int on_gpu = 0;
  for (const std::int64_t side : {40, 97, 211, 512, 700, 1111, 1600})
    for (const std::int64_t kernel : {5, 31, 101}) {
      const Candidate c = chosen(
          plan_convolution(problem_of({side, side, side}, {kernel, kernel, kernel}), machine));
      if (c.where != Place::gpu) continue;
      ++on_gpu;
      const device::BlockLimits& limits = machine.gpu->limits;
      const Extent3& n = c.transform;
      EXPECT_TRUE(device::is_preferred(n.z, LineKind::along_z, limits)) << n.z;
      EXPECT_TRUE(device::is_preferred(n.y, LineKind::column, limits)) << n.y;
      EXPECT_TRUE(device::is_preferred(n.x / 2, LineKind::row, limits)) << n.x;
    }
  EXPECT_GE(on_gpu, 9);
}

// Also where shared memory is small, and few long columns fit into a block
TEST(GpuPlans, PayLittleForPreferringLines) {
  for (const std::int64_t shared_kib : {64, 99, 163, 227}) {
    const device::BlockLimits limits{shared_kib << 10, 1024, 65536};
    for (const LineKind kind : {LineKind::row, LineKind::column, LineKind::along_z})
      for (std::int64_t least = 32; least <= 1792; ++least) {
        double best = INFINITY, best_preferred = INFINITY;
        for (std::int64_t n = least; n <= least + least / 3 + 2; ++n) {
          if (!device::is_device_length(n, limits)) continue;
          const double cost = static_cast<double>(n) * device::copies_of(n, kind, limits);
          best = std::min(best, cost);
          if (device::is_preferred(n, kind, limits))
            best_preferred = std::min(best_preferred, cost);
        }
        EXPECT_LE(best_preferred, 1.13 * best) << shared_kib << " KiB, from " << least;
      }
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
