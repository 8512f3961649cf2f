// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include "core/run/memory_budget.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

Problem problem_of(const Extent3& image, const Extent3& kernel) {
  Problem p;
  p.image = image;
  p.kernel = kernel;
  p.center = {kernel.z / 2, kernel.y / 2, kernel.x / 2};
  return p;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Explain, SaysWhatIsDoneInWhichSizesAndWhatItTakes) {
  const auto plan = plan_convolution(problem_of({20, 30, 40}, {3, 4, 5}), {std::int64_t{3} << 30});
  const auto text = explain(plan);
  EXPECT_TRUE(
      says(text, "convolution of 20x30x40 with a kernel of 3x4x5 (z, y, x) centred on (1, 2, 2)"))
      << text;
  EXPECT_TRUE(says(text, "boundary zero, shape same, single precision, result 20x30x40")) << text;
  EXPECT_TRUE(says(text, "transform " + fmt::format("{}", plan.transform))) << text;
  EXPECT_TRUE(says(text, "of a budget of 3.00 GiB")) << text;
  for (const MemoryItem& item : plan.memory) {
    EXPECT_TRUE(says(text, item.what)) << text;
    EXPECT_TRUE(says(text, print_bytes(item.bytes))) << text;
  }
}

TEST(Explain, SaysWhatIsOutOfTheOrdinary) {
  auto problem = problem_of({1, 30, 40}, {1, 4, 5});
  problem.correlate = true;
  problem.remove_mean = true;
  problem.precision = Precision::float64;
  problem.part = {{0, 10, 0}, {0, 5, 0}};
  const auto text = explain(plan_convolution(problem, {std::int64_t{1} << 30}));
  EXPECT_TRUE(says(text, "correlation of 1x30x40")) << text;
  EXPECT_TRUE(says(text, "double precision")) << text;
  EXPECT_TRUE(says(text, "image mean subtracted")) << text;
  EXPECT_TRUE(says(text, "result 1x5x40, a part that begins at (0, 10, 0)")) << text;
  EXPECT_TRUE(says(text, "rows as planes, because the image is flat")) << text;
}

TEST(Explain, SaysHowManyPartsThereAreWhereTheyLieAndWhereTheyWait) {
  struct Case {
    bool along_y, on_disk, on_device;
    const char *parts, *axes;
  };
  auto plan = plan_convolution(problem_of({20, 30, 40}, {3, 4, 5}), {std::int64_t{1} << 30},
                               Strategy::parts, 4);
  for (const auto& c :
       {Case{false, false, false,
             "4 parts along z, which stay in memory until the last one is done", ""},
        Case{true, true, false, "4 parts along y, which stay on disk until the last one is done",
             "(rows as planes, because the parts lie along y)"},
        Case{false, false, true, "4 parts along z, which the GPU computes and adds up", ""}}) {
    plan.cut.along_y = c.along_y;
    plan.work = work_problem(plan.problem, plan.cut);
    plan.cut.parts_on_disk = c.on_disk;
    plan.cut.fold_on_device = c.on_device;
    const auto text = explain(plan);
    EXPECT_TRUE(says(text, c.parts)) << text;
    EXPECT_TRUE(says(text, c.axes)) << text;
    EXPECT_FALSE(says(text, "because the image is flat")) << text;
  }
}

TEST(Explain, AddsUpAllMemoryOfTheBudgetThatWasGiven) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  auto plan = plan_convolution(problem_of({20, 30, 40}, {3, 4, 5}), {116 * kMiB, 8 * kMiB});
  plan.memory = {{"image spectra", 30 * kMiB}, {"scratch of a thread", 2 * kMiB}};
  EXPECT_TRUE(says(explain(plan), "memory: 40.0 MiB of a budget of 124 MiB")) << explain(plan);
}

TEST(Explain, ListsEveryCandidateWithItsVerdict) {
  const auto problem = problem_of({61, 62, 63}, {9, 9, 9});
  const auto plan = plan_convolution(problem, {std::int64_t{1} << 40});
  ASSERT_GE(plan.candidates.size(), 1u);
  for (const Candidate& c : plan.candidates) {
    const auto text = explain(plan);
    EXPECT_TRUE(says(text, fmt::format("{}", c.transform))) << text;
    EXPECT_TRUE(says(text, c.verdict)) << text;
    EXPECT_TRUE(says(text, print_bytes(c.memory_bytes))) << text;
  }
}

TEST(Explain, IsLinesThatEndWithoutBlanks) {
  const auto text = explain(plan_convolution(problem_of({20, 30, 40}, {3, 4, 5}), {1 << 30}));
  EXPECT_EQ(text.back(), '\n');
  EXPECT_FALSE(says(text, " \n")) << text;
  EXPECT_FALSE(says(text, "\t")) << text;
}

TEST(Explain, SaysWhatMoreGpusWouldMakeOfARing) {
  Machine machine = test::machine_with_gpu(std::int64_t{8} << 30, std::int64_t{128} << 30, 1);
  machine.gpu_only = true;
  const auto problem = problem_of({1000, 1000, 1000}, {61, 61, 61});
  const auto text = explain(plan_convolution(problem, machine, Strategy::ring));
  EXPECT_TRUE(says(text, "GPUs  machines       time  speed-up  waits for\n")) << text;
  EXPECT_TRUE(says(text, "     1         1 ")) << text;
  EXPECT_TRUE(says(text, "     8        64 ")) << text;
  EXPECT_FALSE(says(explain(plan_convolution(problem, {std::int64_t{128} << 30})), "waits for"));
}

}  // namespace
}  // namespace synthoscope::fftconv
