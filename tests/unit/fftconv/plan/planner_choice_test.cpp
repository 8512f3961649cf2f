// SPDX-License-Identifier: MIT
// What the planner chooses on paper: nothing here is run, so volumes may be of any size.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/plan.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

using test::centred_problem;
using test::chosen;
using test::kGiB;
using test::kMiB;

struct ChoiceCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t budget;
};

// Sizes from a lab's day to absurd ones, each with a budget that holds it and one that does not.
constexpr ChoiceCase kChoiceCases[] = {
    {"small", {64, 64, 64}, {9, 9, 9}, kGiB},
    {"ordinary", {512, 512, 512}, {31, 31, 31}, 4 * kGiB},
    {"ordinary_in_little", {512, 512, 512}, {31, 31, 31}, 100 * kMiB},
    {"larger_than_memory", {1024, 1536, 2048}, {61, 127, 127}, kGiB},
    {"a_trillion_voxels", {10000, 10000, 10000}, {61, 127, 127}, 64 * kGiB},
    {"wide_planes", {100, 50000, 50000}, {9, 65, 65}, 8 * kGiB},
    {"wide_planes_in_little", {100, 50000, 50000}, {9, 65, 65}, kGiB},
    {"kernel_as_large_as_image", {300, 300, 300}, {300, 300, 300}, 8 * kGiB},
    {"thin_along_z", {1000, 1000, 1000}, {1, 51, 51}, 2 * kGiB},
    {"thin_along_x", {1000, 1000, 1000}, {51, 51, 1}, 2 * kGiB},
    {"flat", {1, 20000, 20000}, {1, 101, 101}, 500 * kMiB},
};

class Choice : public testing::TestWithParam<ChoiceCase> {
 protected:
  Problem problem_ = centred_problem(GetParam().image, GetParam().kernel);
};

TEST_P(Choice, KeepsItsBudgetAndIsTheSameEveryTime) {
  const Machine machine{GetParam().budget};
  const Plan plan = plan_convolution(problem_, machine);
  EXPECT_LE(plan.memory_bytes(), machine.host_bytes);
  EXPECT_TRUE(plan == plan_convolution(problem_, machine));
}

TEST_P(Choice, IsTheFastestThatFitsOrInCoreWhereThatIsHardlySlower) {
  const Plan plan = plan_convolution(problem_, {GetParam().budget});
  const double margin = plan.strategy == Strategy::in_core ? 1.2 : 1;
  for (const Candidate& c : plan.candidates)
    if (c.memory_bytes <= GetParam().budget && c.verdict != "chosen") {
      EXPECT_LE(chosen(plan).seconds, c.seconds * margin) << explain(plan);
    }
}

TEST_P(Choice, IsNeverPredictedSlowerWithMoreMemory) {
  double before = chosen(plan_convolution(problem_, {GetParam().budget})).seconds;
  for (const std::int64_t more : {2, 4, 16, 256}) {
    const double seconds = chosen(plan_convolution(problem_, {GetParam().budget * more})).seconds;
    EXPECT_LE(seconds, before * 1.2) << more << " times the budget";  // 1.2: in-core is preferred
    before = std::min(before, seconds);
  }
}

TEST_P(Choice, CountsAllThatIsReadAndWritten) {
  const Plan plan = plan_convolution(problem_, {GetParam().budget});
  for (const Candidate& c : plan.candidates) {
    EXPECT_GE(c.read_bytes, volume(problem_.image) * 4) << name_of(c.strategy);
    EXPECT_EQ(c.written_bytes, volume(problem_.image) * 4);
    if (c.strategy == Strategy::in_core || c.strategy == Strategy::ring) {
      EXPECT_EQ(c.read_bytes, volume(problem_.image) * 4) << "everything is read once";
    }
  }
}

TEST_P(Choice, CountsWhatABoundaryRepeatsAsReadAgain) {
  problem_.boundary = Boundary::reflect;
  const Extent3 &image = problem_.image, &kernel = problem_.kernel;
  const std::int64_t again = (image.z + kernel.z - 1) * (image.y + kernel.y - 1) * image.x * 4;
  for (const Candidate& c : plan_convolution(problem_, {GetParam().budget}).candidates)
    if (c.strategy == Strategy::in_core || c.strategy == Strategy::ring) {
      EXPECT_EQ(c.read_bytes, again) << name_of(c.strategy);
    } else {
      EXPECT_GE(c.read_bytes, again) << name_of(c.strategy);
    }
}

TEST(PlannerChoice, PadsNoAxisThatAnImageThatWrapsFills) {
  struct Case {
    std::int64_t side, kernel, transformed;
  };
  // 509 is prime; and a kernel that is longer than the image meets a voxel twice
  for (const Case& c : {Case{512, 101, 512}, {500, 500, 500}, {509, 101, 609}, {64, 65, 128}}) {
    Problem problem = centred_problem({c.side, c.side, 64}, {c.kernel, c.kernel, 3});
    problem.boundary = Boundary::wrap;
    const Plan plan = plan_convolution(problem, {64 * kGiB}, Strategy::in_core);
    const auto is_it = [&](std::int64_t n) {
      return c.transformed == c.side ? n == c.side : n >= c.transformed;
    };
    EXPECT_TRUE(is_it(plan.transform.z) && is_it(plan.transform.y)) << explain(plan);
    const std::int64_t rows = c.transformed == c.side ? c.side : c.side + c.kernel - 1;
    EXPECT_EQ(chosen(plan).read_bytes, rows * rows * 64 * 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Choice, testing::ValuesIn(kChoiceCases), test::kCaseName);

TEST(PlannerChoice, CutsOnlyWhatMemoryCannotHold) {
  const Problem problem = centred_problem({512, 512, 512}, {31, 31, 31});
  EXPECT_NE(plan_convolution(problem, {100 * kMiB}).strategy, Strategy::in_core);
  EXPECT_EQ(plan_convolution(problem, {4 * kGiB}).strategy, Strategy::in_core);
  const Problem wide = centred_problem({100, 50000, 50000}, {9, 65, 65});
  EXPECT_EQ(plan_convolution(wide, {kGiB}).strategy, Strategy::tiles)
      << "a ring of such planes has no room";
}

TEST(PlannerChoice, LeavesRoomForTheScratchOfThreads) {
  const Problem problem = centred_problem({124, 444, 444}, {61, 61, 61});
  for (const std::int64_t budget : {80, 90, 100, 120, 200, 2000}) {
    const Plan plan = plan_convolution(problem, {budget * kMiB});
    const std::int64_t left = budget * kMiB - plan.memory_bytes();
    EXPECT_EQ(plan.memory.back().what, kThreadScratch);
    EXPECT_GE(left / plan.memory.back().bytes, 7) << explain(plan);
  }
}

TEST(PlannerChoice, FollowsTheRatesOfTheMachine) {
  const Problem problem = centred_problem({512, 512, 512}, {31, 31, 31});
  Machine machine{4 * kGiB};
  const double usual = chosen(plan_convolution(problem, machine)).seconds;
  machine.rates.disk_read_bytes_per_second /= 10;
  EXPECT_GT(chosen(plan_convolution(problem, machine)).seconds, 1.5 * usual);
  machine = {4 * kGiB};
  for (double& factor : machine.rates.line_factor) factor /= 10;
  machine.rates.memory_bytes_per_second *= 10;
  EXPECT_LT(chosen(plan_convolution(problem, machine)).seconds, usual);
}

TEST(PlannerChoice, ReadsNothingWhereTheImageIsMadeOnDemand) {
  Problem problem = centred_problem({64, 64, 64}, {9, 9, 9});
  problem.image_voxel_bytes = 0;
  for (const Candidate& c : plan_convolution(problem, {kGiB}).candidates)
    EXPECT_EQ(c.read_bytes, 0);
}

/// Each frame of a movie is blurred by itself, and CUDA is started once for all.
TEST(PlannerChoice, TakesAGpuThatWorksAlreadyForLessThanItsStart) {
  Problem p = centred_problem({64, 512, 512}, {127, 215, 215});
  p.image_made_on_gpu = true;
  p.image_voxel_bytes = 0;
  p.source_voxel_bytes = p.sink_voxel_bytes = 4;
  Machine machine = test::machine_with_gpu(64 * kGiB, 64 * kGiB, 0.1);
  const Plan starting = plan_convolution(p, machine);
  EXPECT_EQ(starting.where, Place::host) << explain(starting);
  EXPECT_LT(chosen(starting).seconds, 0.4);
  machine.gpu->start_is_paid = true;
  const Plan working = plan_convolution(p, machine);
  EXPECT_EQ(working.where, Place::gpu) << explain(working);
  EXPECT_LT(chosen(working).seconds, chosen(starting).seconds);
}

TEST(PlannerChoice, NamesABudgetThatHoldsTheProgramTooAndWorks) {
  const Problem problem = centred_problem({64, 96, 96}, {5, 9, 9});
  constexpr std::int64_t kProgram = 8 * kMiB;
  std::int64_t named = 0;
  try {
    (void)plan_convolution(problem, {-kMiB, kProgram});
    FAIL() << "it was planned";
  } catch (const MemoryTooSmall& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("and the program 8.00 MiB, the budget is 7.00 MiB"), std::string::npos)
        << text;
    named = failure.least_budget_bytes;
  }
  EXPECT_NO_THROW((void)plan_convolution(problem, {named - kProgram, kProgram}));
  EXPECT_THROW((void)plan_convolution(problem, {named - kProgram - 1, kProgram}), PlanError);
}

}  // namespace
}  // namespace synthoscope::fftconv
