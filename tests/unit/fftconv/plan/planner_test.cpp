// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr Machine kLarge{std::int64_t{1} << 62};

Problem problem_of(const Extent3& image, const Extent3& kernel) {
  Problem p;
  p.image = image;
  p.kernel = kernel;
  p.center = {(kernel.z - 1) / 2, (kernel.y - 1) / 2, (kernel.x - 1) / 2};
  return p;
}

struct PlanCase {
  const char* name;
  Problem problem;
};

Problem with(Problem p, Boundary boundary, Shape shape, Precision precision) {
  p.boundary = boundary;
  p.shape = shape;
  p.precision = precision;
  return p;
}

const PlanCase kPlanCases[] = {
    {"one_voxel", problem_of({1, 1, 1}, {1, 1, 1})},
    {"cube", problem_of({256, 256, 256}, {32, 32, 32})},
    {"flat", problem_of({1, 2048, 2048}, {1, 65, 65})},
    {"line", problem_of({1, 1, 100000}, {1, 1, 1000})},
    {"column", problem_of({100000, 1, 1}, {100, 1, 1})},
    {"primes", problem_of({101, 211, 307}, {7, 11, 13})},
    {"kernel_larger", problem_of({5, 6, 7}, {50, 60, 70})},
    {"reflect",
     with(problem_of({30, 40, 50}, {9, 9, 9}), Boundary::reflect, Shape::same, Precision::float32)},
    {"full_double",
     with(problem_of({30, 40, 50}, {9, 8, 7}), Boundary::zero, Shape::full, Precision::float64)},
    {"valid",
     with(problem_of({30, 40, 50}, {9, 8, 7}), Boundary::zero, Shape::valid, Precision::float32)},
    {"a_trillion_voxels", problem_of({10000, 10000, 10000}, {129, 257, 257})},
    {"a_trillion_in_a_line", problem_of({1, 1, 1000000000000}, {1, 1, 1001})},
    {"a_trillion_in_a_plane", problem_of({1, 1000000, 1000000}, {1, 101, 101})},
};

class AnyPlan : public testing::TestWithParam<PlanCase> {};

TEST_P(AnyPlan, HasTransformsThatAreSmoothLongEnoughAndEvenAlongX) {
  const auto plan = plan_convolution(GetParam().problem, kLarge, Strategy::in_core);
  const Layout layout = make_layout(plan.work, plan.transform);
  EXPECT_GE(plan.transform.z, layout.z.min_length);
  EXPECT_GE(plan.transform.y, layout.y.min_length);
  EXPECT_GE(plan.transform.x, layout.x.min_length);
  EXPECT_EQ(plan.transform.x % 2, 0);
  for (const std::int64_t n : {plan.transform.z, plan.transform.y, plan.transform.x / 2})
    EXPECT_TRUE(n == 1 || !radices_of(n).empty()) << n << " has a prime above 7";
}

TEST_P(AnyPlan, WastesLessThanTwiceOnEveryAxis) {
  const auto plan = plan_convolution(GetParam().problem, kLarge, Strategy::in_core);
  const Layout layout = make_layout(plan.work, plan.transform);
  EXPECT_LT(plan.transform.z, 2 * layout.z.min_length);
  EXPECT_LT(plan.transform.y, 2 * layout.y.min_length);
  EXPECT_LT(plan.transform.x, 2 * (layout.x.min_length + 1));
}

TEST_P(AnyPlan, CountsSpectraOfImageAndKernelInFull) {
  const auto plan = plan_convolution(GetParam().problem, kLarge, Strategy::in_core);
  const auto& w = plan.work;
  const std::int64_t bytes = w.precision == Precision::float32 ? 4 : 8;
  // A transform of Nx reals holds as many numbers; results share the image's room
  const double plane = static_cast<double>(bytes) * static_cast<double>(plan.transform.y) *
                       static_cast<double>(plan.transform.x);
  ASSERT_GE(plan.memory.size(), 3u);
  for (const MemoryItem& item : plan.memory) EXPECT_GT(item.bytes, 0) << item.what;
  EXPECT_EQ(plan.memory[0].what, "image spectra");
  const Layout layout = make_layout(w, plan.transform);
  EXPECT_GE(static_cast<double>(plan.memory[0].bytes),
            plane * static_cast<double>(std::max(layout.z.loaded, layout.z.wanted)));
  EXPECT_EQ(plan.memory[1].what, "kernel spectra");
  EXPECT_GE(static_cast<double>(plan.memory[1].bytes),
            plane * static_cast<double>(layout.z.kernel_count));
  std::int64_t sum = 0;
  for (const MemoryItem& item : plan.memory) sum += item.bytes;
  EXPECT_EQ(plan.memory_bytes(), sum);
}

TEST_P(AnyPlan, IsTheSameForTheSameArguments) {
  EXPECT_TRUE(plan_convolution(GetParam().problem, kLarge) ==
              plan_convolution(GetParam().problem, kLarge));
}

/// The smallest budget that is enough; the refusal names it, rounded up.
std::int64_t named_budget(const Problem& problem, std::int64_t host_bytes) {
  try {
    (void)plan_convolution(problem, {host_bytes});
  } catch (const MemoryTooSmall& failure) {
    const std::string named = "give --memory " + size_of_at_least(failure.least_budget_bytes);
    EXPECT_NE(std::string{failure.what()}.find(named), std::string::npos) << failure.what();
    return failure.least_budget_bytes;
  }
  return 0;
}

TEST_P(AnyPlan, IsMadeWithTheBudgetThatARefusalNamesAndNoneBelowIt) {
  const std::int64_t smallest = named_budget(GetParam().problem, 1);
  ASSERT_GT(smallest, 0);
  const auto plan = plan_convolution(GetParam().problem, {smallest});
  EXPECT_EQ(plan.memory_bytes(), smallest);
  EXPECT_THROW((void)plan_convolution(GetParam().problem, {smallest - 1}), PlanError);
}

TEST_P(AnyPlan, NeverPromisesMoreThanItsBudget) {
  const auto free = plan_convolution(GetParam().problem, kLarge);
  const std::int64_t smallest = named_budget(GetParam().problem, 1);
  for (const std::int64_t budget :
       {smallest, (smallest + free.memory_bytes()) / 2, free.memory_bytes()})
    EXPECT_LE(plan_convolution(GetParam().problem, {budget}).memory_bytes(), budget);
}

TEST_P(AnyPlan, HasOneChosenCandidateThatSaysWhatThePlanSays) {
  const auto plan = plan_convolution(GetParam().problem, kLarge);
  const auto chosen = std::count_if(plan.candidates.begin(), plan.candidates.end(),
                                    [](const Candidate& c) { return c.verdict == "chosen"; });
  ASSERT_EQ(chosen, 1);
  for (const Candidate& c : plan.candidates) {
    if (c.verdict != "chosen") continue;
    EXPECT_EQ(c.strategy, plan.strategy);
    EXPECT_EQ(c.transform, plan.transform);
    EXPECT_EQ(c.memory_bytes, plan.memory_bytes());
    EXPECT_GT(c.seconds, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, AnyPlan, testing::ValuesIn(kPlanCases), test::kCaseName);

TEST(Planner, SaysWhatIsNeededWhatIsThereAndWhatToGive) {
  const auto problem = problem_of({64, 64, 64}, {9, 9, 9});
  const std::int64_t smallest = named_budget(problem, 1);
  try {
    (void)plan_convolution(problem, {1000});
    FAIL() << "it was planned";
  } catch (const PlanError& failure) {
    EXPECT_EQ(std::string{failure.what()},
              "plan the convolution of 64x64x64 with 9x9x9: tiles needs " + print_bytes(smallest) +
                  ", the budget is 1000 bytes; give --memory " + size_of_at_least(smallest) +
                  " or more");
  }
}

/// What a refusal says.
std::string refusal(const Problem& problem, Strategy strategy) {
  try {
    (void)plan_convolution(problem, kLarge, strategy);
  } catch (const PlanError& failure) {
    return failure.what();
  }
  return "it was planned";
}

TEST(Planner, SaysWhyAStrategyCannotCutTheProblem) {
  const std::string plain = "plan the convolution of ";
  EXPECT_EQ(
      refusal(problem_of({1, 64, 64}, {3, 9, 9}), Strategy::ring),
      plain +
          "1x64x64 with 3x9x9 by ring: a ring would hold all of its planes; use --strategy auto");
  Problem several = problem_of({64, 64, 64}, {9, 9, 9});
  several.terms = 2;
  EXPECT_EQ(refusal(several, Strategy::parts),
            plain +
                "64x64x64 with 9x9x9 by parts: its 2 terms can only be added up in core; use "
                "--strategy auto");
  Problem flat = problem_of({1, 64, 64}, {1, 9, 9});
  flat.order = BoxOrder::planes_in_order;
  EXPECT_EQ(refusal(flat, Strategy::tiles),
            plain +
                "1x64x64 with 1x9x9 by tiles: a compressed file needs the only plane of a flat "
                "image as a whole; use --strategy auto");
}

TEST(Planner, NamesABudgetForWhatComesBeforeOrAfterToo) {
  const auto problem = problem_of({64, 64, 64}, {9, 9, 9});
  const std::int64_t smallest = named_budget(problem, 1);
  const auto with = [&](std::int64_t budget, std::int64_t stages) {
    return plan_convolution(problem, {budget}, Strategy::automatic, 0, stages);
  };
  EXPECT_TRUE(with(smallest, smallest) == plan_convolution(problem, {smallest}));
  try {
    (void)with(smallest, smallest + 1);
    FAIL() << "it was planned";
  } catch (const PlanError& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("the work before or after the convolution needs"), std::string::npos)
        << text;
    EXPECT_NE(text.find("give --memory " + size_of_at_least(smallest + 1)), std::string::npos);
  }
  EXPECT_NO_THROW((void)with(smallest + 1, smallest + 1));
}

TEST(Planner, HoldsAGivenPlanAgainstTheBudget) {
  const auto plan = plan_convolution(problem_of({64, 64, 64}, {9, 9, 9}), kLarge);
  const std::int64_t needed = plan.memory_bytes();
  EXPECT_NO_THROW(require_fits(plan, {needed, 100}));
  EXPECT_THROW(require_fits(plan, {needed, 100}, needed + 1), PlanError);
  try {
    require_fits(plan, {needed - 1, 100});
    FAIL() << "it fitted";
  } catch (const PlanError& failure) {
    EXPECT_NE(std::string{failure.what()}.find("--memory " + size_of_at_least(needed + 100)),
              std::string::npos)
        << failure.what();
  }
}

TEST(Planner, NamesWhatAGivenPlanIsNotFor) {
  const auto plan = plan_convolution(problem_of({64, 64, 64}, {9, 9, 9}), kLarge);
  const auto said = [&](auto&& change) -> std::string {
    Problem problem = plan.problem;
    change(problem);
    try {
      require_for(plan, problem);
    } catch (const InvalidSpec& failure) {
      return failure.what();
    }
    return "it is for it";
  };
  const std::string it_is = "run the given plan: it is for ",
                    anew = " is requested; make a new one with --dry-run --json";
  EXPECT_EQ(said([](Problem& p) { p.image.x = 65; }),
            it_is + "an image of 64x64x64, but 64x64x65" + anew);
  EXPECT_EQ(said([](Problem& p) { p.boundary = Boundary::wrap; }),
            it_is + "boundary zero, but wrap" + anew);
  EXPECT_EQ(said([](Problem& p) { p.order = BoxOrder::planes_in_order; }),
            it_is + "a file that takes any pieces, but whole planes" + anew);
  EXPECT_EQ(said([](Problem& p) { p.correlate = true; }),
            it_is + "a convolution, but correlation" + anew);
  EXPECT_EQ(said([](Problem& p) { p.image_voxel_bytes = 2; }), "it is for it");
}

TEST(Planner, RefusesWhatDoesNotFitIn63Bits) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  EXPECT_THROW((void)plan_convolution(problem_of({kHuge, kHuge, kHuge}, {3, 3, 3}), kLarge),
               InvalidSpec);
}

TEST(Planner, TakesRowsOfAFlatImageAsPlanes) {
  const auto plan = plan_convolution(problem_of({1, 300, 400}, {1, 7, 5}), kLarge);
  EXPECT_EQ(plan.work.image, (Extent3{300, 1, 400}));
  EXPECT_EQ(plan.work.kernel, (Extent3{7, 1, 5}));
  EXPECT_EQ(plan.work.center, (Index3{3, 0, 2}));
  EXPECT_EQ(plan.transform.y, 1);
  const auto deep = plan_convolution(problem_of({1, 300, 400}, {2, 7, 5}), kLarge);
  EXPECT_TRUE(deep.work == deep.problem) << "a deep kernel gives a flat image depth";
}

TEST(Planner, TakesNoMoreScratchForALineThanForAFewOfIt) {
  const auto plan = plan_convolution(problem_of({1, 1, 1000000}, {1, 1, 1001}), kLarge);
  EXPECT_LT(plan.memory_bytes(), std::int64_t{256} << 20);
}

struct InvalidCase {
  const char* name;
  Problem problem;
  const char* message;
};

Problem changed(void (*change)(Problem&)) {
  Problem p = problem_of({8, 9, 10}, {3, 4, 5});
  change(p);
  return p;
}

const InvalidCase kInvalidCases[] = {
    {"empty_image", changed([](Problem& p) { p.image.y = 0; }),
     "convolve: image 8x0x10 and kernel 3x4x5 (z, y, x) must have at least one voxel on every "
     "axis"},
    {"negative_kernel", changed([](Problem& p) { p.kernel.x = -5; }),
     "convolve: image 8x9x10 and kernel 3x4x-5 (z, y, x) must have at least one voxel on every "
     "axis"},
    {"centre_outside", changed([](Problem& p) { p.center.y = 4; }),
     "convolve: the kernel's centre is at y = 4, outside its 4 voxels; give a centre from 0 to "
     "3"},
    {"centre_negative", changed([](Problem& p) { p.center.z = -1; }),
     "convolve: the kernel's centre is at z = -1, outside its 3 voxels; give a centre from 0 to "
     "2"},
    {"full_with_reflect", changed([](Problem& p) {
       p.shape = Shape::full;
       p.boundary = Boundary::reflect;
     }),
     "convolve: shape full is defined for boundary zero only, not reflect; use shape same"},
    {"valid_with_larger_kernel", changed([](Problem& p) {
       p.shape = Shape::valid;
       p.kernel.x = 11;
     }),
     "convolve: shape valid needs a kernel no larger than the image, but along x it has 11 voxels "
     "and the image 10; use shape same or full, or swap the two"},
    {"part_beyond_the_result", changed([](Problem& p) {
       p.part = {{0, 5, 0}, {0, 5, 0}};
     }),
     "convolve: along y the wanted part of the result begins at 5 and has 5 voxels, but the result "
     "has 9; give a part inside it"},
    {"part_before_the_result", changed([](Problem& p) { p.part.origin.z = -1; }),
     "convolve: along z the wanted part of the result begins at -1 and has 0 voxels, but the "
     "result has 8; give a part inside it"},
    {"voxels_of_negative_size", changed([](Problem& p) { p.image_voxel_bytes = -1; }),
     "convolve: -1 bytes are read and 4 written for a voxel; give 0 to 64"},
    {"voxels_of_vast_size", changed([](Problem& p) { p.result_voxel_bytes = 65; }),
     "convolve: 4 bytes are read and 65 written for a voxel; give 0 to 64"},
    {"no_terms", changed([](Problem& p) { p.terms = 0; }),
     "convolve: 0 terms; give one or more, and only one if the mean is subtracted"},
    {"mean_of_two_terms", changed([](Problem& p) {
       p.terms = 2;
       p.remove_mean = true;
     }),
     "convolve: 2 terms with the image mean subtracted; give one or more, and only one if the "
     "mean is subtracted"},
};

class InvalidProblem : public testing::TestWithParam<InvalidCase> {};

TEST_P(InvalidProblem, IsRefusedWithAReason) {
  try {
    (void)plan_convolution(GetParam().problem, kLarge);
    FAIL() << "it was planned";
  } catch (const InvalidSpec& failure) {
    EXPECT_STREQ(failure.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, InvalidProblem, testing::ValuesIn(kInvalidCases), test::kCaseName);

TEST(ThreadsThatFit, HaveTheirScratchBesideThePlan) {
  Plan plan = plan_convolution(problem_of({64, 96, 128}, {9, 17, 33}), kLarge, Strategy::in_core);
  EXPECT_EQ(threads_that_fit(plan, 5), 5);
  const auto scratch = std::find_if(plan.memory.begin(), plan.memory.end(),
                                    [](const auto& item) { return item.what == kThreadScratch; });
  ASSERT_NE(scratch, plan.memory.end());
  for (const int more : {0, 1, 2}) {
    plan.machine.host_bytes = plan.memory_bytes() + more * scratch->bytes;
    EXPECT_EQ(threads_that_fit(plan, 2), std::min(1 + more, 2));
  }
}

TEST(ImageReads, AreOnceUnlessTilesOverlapPartsShareOrTermsRepeat) {
  const auto reads = [](Strategy strategy, std::int64_t parts = 0, std::int64_t terms = 1) {
    Problem problem = problem_of({64, 96, 128}, {9, 17, 33});
    problem.terms = terms;
    return image_reads(plan_convolution(problem, kLarge, strategy, parts));
  };
  EXPECT_DOUBLE_EQ(reads(Strategy::in_core), 1);
  EXPECT_DOUBLE_EQ(reads(Strategy::ring), 1);
  EXPECT_DOUBLE_EQ(reads(Strategy::in_core, 0, 3), 3);
  EXPECT_DOUBLE_EQ(reads(Strategy::parts, 7), 7);
  EXPECT_GT(reads(Strategy::tiles), 1);
}

}  // namespace
}  // namespace synthoscope::fftconv
