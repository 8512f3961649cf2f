// SPDX-License-Identifier: MIT
// What the planner makes of frequency parts on a GPU, on paper: nothing here is run.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include "core/base/error.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

using test::chosen;
using test::kGiB;
using test::kH200;

/// float32 from memory to memory.
Problem parts_problem(const Extent3& image, const Extent3& kernel) {
  Problem p = test::centred_problem(image, kernel);
  p.image_voxel_bytes = p.result_voxel_bytes = 0;
  p.source_voxel_bytes = p.kernel_voxel_bytes = p.sink_voxel_bytes = 4;
  return p;
}

/// That has to use its GPU.
Machine parts_machine(std::int64_t device_bytes, std::int64_t host_bytes = 128 * kGiB) {
  Machine m = test::machine_with_gpu(device_bytes, host_bytes, 1.0 / 12);
  m.gpu_only = true;
  return m;
}

struct PartsPlanCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t device_bytes;
  bool device_folds;
  std::int64_t host_bytes = 128 * kGiB;
  bool on_disk = false;
  Boundary boundary = Boundary::zero;
};

const PartsPlanCase kPartsPlanCases[] = {
    {"with_room", {768, 768, 768}, {768, 768, 768}, 140 * kGiB, true},
    {"in_8g", {768, 768, 768}, {768, 768, 768}, 8 * kGiB, true},
    {"in_2g", {768, 768, 768}, {768, 768, 768}, 2 * kGiB, false},
    {"in_2g_and_2g", {768, 768, 768}, {768, 768, 768}, 2 * kGiB, false, 2 * kGiB, true},
    {"small_kernel", {1024, 1024, 1024}, {127, 127, 127}, 2 * kGiB, false},
    {"odd_and_reflected",
     {301, 211, 305},
     {99, 7, 64},
     kGiB,
     true,
     128 * kGiB,
     false,
     Boundary::reflect},
    {"flat", {1, 9000, 9001}, {1, 9000, 9001}, 2 * kGiB, true},
};

class PartsOfGpu : public testing::TestWithParam<PartsPlanCase> {
 protected:
  PartsOfGpu() { problem_.boundary = GetParam().boundary; }
  Problem problem_ = parts_problem(GetParam().image, GetParam().kernel);
  Machine machine_ = parts_machine(GetParam().device_bytes, GetParam().host_bytes);
};

TEST_P(PartsOfGpu, ArePlannedWithinBothBudgets) {
  const Plan plan = plan_convolution(problem_, machine_, Strategy::parts);
  EXPECT_EQ(plan.where, Place::gpu);
  EXPECT_EQ(plan.strategy, Strategy::parts);
  EXPECT_EQ(plan.cut.fold_on_device, GetParam().device_folds) << explain(plan);
  EXPECT_EQ(plan.cut.parts_on_disk, GetParam().on_disk) << explain(plan);
  const Candidate& c = chosen(plan);
  EXPECT_LE(plan.device_bytes(), machine_.gpu->memory_bytes);
  EXPECT_LE(plan.memory_bytes(), machine_.host_bytes);
  EXPECT_EQ(plan.device_bytes(), c.device_bytes);
  EXPECT_EQ(plan.memory_bytes(), c.memory_bytes);
  EXPECT_EQ(c.scratch_bytes > 0, plan.cut.parts_on_disk);
  EXPECT_NO_THROW(require_fits(plan, machine_));
  // What is counted on paper is what a run takes, which shares lines among threads, too
  const auto sizes =
      device::make_parts_layout(plan.work, plan.transform, plan.cut, machine_.gpu->limits);
  EXPECT_EQ(device_memory_of(sizes), plan.device_memory);
}

TEST_P(PartsOfGpu, AreGivenBackByTheirFile) {
  const Plan plan = plan_convolution(problem_, machine_, Strategy::parts);
  EXPECT_TRUE(plan_from_json(to_json(plan)) == plan) << to_json(plan);
}

TEST_P(PartsOfGpu, CrossTheLinkOnceWhereTheDeviceFoldsThem) {
  for (const std::int64_t parts : {1, 2, 5}) {
    machine_.gpu->memory_bytes = 1000 * kGiB;
    machine_.host_bytes = 1000 * kGiB;
    const Plan plan = plan_convolution(problem_, machine_, Strategy::parts, parts);
    EXPECT_EQ(plan.cut.parts, parts);
    ASSERT_TRUE(plan.cut.fold_on_device);
    const Candidate& c = chosen(plan);
    EXPECT_LE(c.up_bytes, 4 * (volume(problem_.image) + volume(problem_.kernel)));
    EXPECT_EQ(c.down_bytes, 4 * volume(problem_.image));
  }
}

TEST_P(PartsOfGpu, AreNeverSlowerWithMoreMemoryOfTheGpu) {
  double before = chosen(plan_convolution(problem_, machine_, Strategy::parts)).seconds;
  for (const std::int64_t more : {2, 4, 16}) {
    machine_.gpu->memory_bytes = more * GetParam().device_bytes;
    const double seconds = chosen(plan_convolution(problem_, machine_, Strategy::parts)).seconds;
    EXPECT_LE(seconds, before) << more << " times the budget";
    before = seconds;
  }
}

TEST_P(PartsOfGpu, NameTheSmallestMemoryThatWorks) {
  machine_.gpu->memory_bytes = 1;
  const std::int64_t named = test::size_behind(
      "--gpu-memory ", [&] { (void)plan_convolution(problem_, machine_, Strategy::parts); });
  machine_.gpu->memory_bytes = named;
  EXPECT_EQ(plan_convolution(problem_, machine_, Strategy::parts).strategy, Strategy::parts);
  machine_.gpu->memory_bytes = test::less_than_named(named);
  EXPECT_THROW((void)plan_convolution(problem_, machine_, Strategy::parts), OutOfDeviceMemory);
}

INSTANTIATE_TEST_SUITE_P(Table, PartsOfGpu, testing::ValuesIn(kPartsPlanCases), test::kCaseName);

TEST(GpuPartsPlan, IsExplained) {
  const Problem p = parts_problem({768, 768, 768}, {768, 768, 768});
  const auto text = [&](std::int64_t device_bytes, std::int64_t host_bytes) {
    return explain(plan_convolution(p, parts_machine(device_bytes, host_bytes), Strategy::parts));
  };
  const auto says = [](const std::string& whole, const char* part) {
    EXPECT_NE(whole.find(part), std::string::npos) << part << '\n' << whole;
  };
  says(text(8 * kGiB, 64 * kGiB), "which the GPU computes and adds up");
  says(text(2 * kGiB, 64 * kGiB), "which stay in memory until the last one is done");
  says(text(2 * kGiB, 2 * kGiB), "which stay on disk until the last one is done");
}

TEST(GpuPartsPlan, SaysWhyThereAreNone) {
  Problem p = parts_problem({10, 10, 100000}, {5, 5, 60000});
  const auto refusal = [](const Problem& problem) -> std::string {
    try {
      (void)plan_convolution(problem, parts_machine(8 * kGiB), Strategy::parts);
    } catch (const PlanError& failure) {
      return failure.what();
    }
    return "it was planned";
  };
  EXPECT_EQ(refusal(p),
            "plan the convolution of 10x10x100000 with 5x5x60000 by parts: it has nothing to cut, "
            "or its lines are longer than the GPU transforms; use --strategy auto");
  p = parts_problem({64, 64, 64}, {9, 9, 9});
  p.precision = Precision::float64;
  EXPECT_EQ(refusal(p),
            "plan the convolution of 64x64x64 with 9x9x9 by parts: a GPU computes in single "
            "precision; use --precision single, or --gpus none");
}

struct PartsSecondsCase {
  std::int64_t side, parts;
  bool device_folds;
  double seconds;  ///< measured (docs/benchmarks/gpu-parts.md)
};

TEST(GpuPartsPlan, PredictsWhatAnH200Takes) {
  for (const PartsSecondsCase& c : {PartsSecondsCase{1024, 1, true, 0.389},
                                    {1024, 4, true, 0.411},
                                    {1024, 16, true, 0.442},
                                    {1024, 1, false, 0.665},
                                    {1024, 4, false, 0.955},
                                    {512, 8, false, 0.156},
                                    {512, 16, false, 0.231}}) {
    const Problem p = parts_problem({c.side, c.side, c.side}, {c.side, c.side, c.side});
    Machine machine = parts_machine(100 * kGiB);
    // Else no room for image and result beside a part
    if (!c.device_folds) machine.gpu->memory_bytes = (4 + 28 / c.parts) * c.side * c.side * c.side;
    const Plan plan = plan_convolution(p, machine, Strategy::parts, c.parts);
    ASSERT_EQ(plan.cut.fold_on_device, c.device_folds) << explain(plan);
    constexpr double kStart = 0.4;  // is not in what was measured
    EXPECT_GE(chosen(plan).seconds - kStart, 0.6 * c.seconds) << explain(plan);
    EXPECT_LE(chosen(plan).seconds - kStart, 1.5 * c.seconds) << explain(plan);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
