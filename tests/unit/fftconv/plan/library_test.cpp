// SPDX-License-Identifier: MIT
// Which library transforms, and that a plan of one never runs with another in silence.
#include <gtest/gtest.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "fftconv/plan.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

Problem summable_problem() {
  Problem problem = test::centred_problem({40, 60, 70}, {3, 5, 5});
  problem.may_sum = true;
  return problem;
}

Machine machine_with(std::optional<FftLibrary> fft) {
  Machine machine{std::int64_t{1} << 30};
  machine.has_fftw = true;
  machine.fft = fft;
  return machine;
}

bool has_sums(const Plan& plan) {
  return std::any_of(plan.candidates.begin(), plan.candidates.end(), [](const Candidate& c) {
    return c.strategy == Strategy::direct || c.strategy == Strategy::separable;
  });
}

std::int64_t candidates_by(const Plan& plan, FftLibrary library) {
  return std::count_if(plan.candidates.begin(), plan.candidates.end(),
                       [&](const Candidate& c) { return c.cut.fft == library; });
}

TEST(Library, IsTheFasterOneByTheRatesOfTheMachine) {
  Machine machine = machine_with(std::nullopt);
  const Problem problem = test::centred_problem({128, 128, 128}, {31, 31, 31});
  EXPECT_EQ(plan_convolution(problem, machine).cut.fft, FftLibrary::own);
  for (double& factor : machine.rates.fftw_line_factor) factor = 0.1;
  const Plan plan = plan_convolution(problem, machine);
  EXPECT_EQ(plan.cut.fft, FftLibrary::fftw);
  EXPECT_GT(candidates_by(plan, FftLibrary::own), 0) << "the slower one is shown";
  machine.has_fftw = false;
  EXPECT_EQ(plan_convolution(problem, machine).cut.fft, FftLibrary::own);
}

TEST(Library, ThatIsAskedForTransformsEveryCandidate) {
  for (const auto library : {FftLibrary::own, FftLibrary::fftw, FftLibrary::fftw_measured})
    for (const auto strategy : {Strategy::automatic, Strategy::in_core, Strategy::ring,
                                Strategy::tiles, Strategy::parts}) {
      const Plan plan = plan_convolution(summable_problem(), machine_with(library), strategy);
      EXPECT_EQ(plan.cut.fft, library);
      EXPECT_EQ(candidates_by(plan, library), static_cast<std::int64_t>(plan.candidates.size()));
      EXPECT_FALSE(has_sums(plan));
      EXPECT_TRUE(plan_from_json(to_json(plan)) == plan);
    }
  EXPECT_TRUE(has_sums(plan_convolution(summable_problem(), machine_with(std::nullopt))));
}

TEST(Library, IsRefusedWithSumsWhichTransformNothing) {
  for (const auto strategy : {Strategy::direct, Strategy::separable})
    test::expect_failure<InvalidSpec>(
        [&] {
          (void)plan_convolution(summable_problem(), machine_with(FftLibrary::own), strategy);
        },
        {"--fft own", "leave one of them out"});
}

TEST(Library, OfTheHostIsRefusedWhereAGpuMustTransform) {
  Machine machine = test::machine_with_gpu(8 * test::kGiB, 8 * test::kGiB, 1);
  machine.fft = FftLibrary::fftw;
  EXPECT_EQ(plan_convolution(summable_problem(), machine).where, Place::host);
  machine.gpu_only = true;
  test::expect_failure<PlanError>([&] { (void)plan_convolution(summable_problem(), machine); },
                                  {"FFTW", "--gpus none"});
}

TEST(Library, OfAGpuTransformsThereAlone) {
  Machine machine = test::machine_with_gpu(8 * test::kGiB, 8 * test::kGiB, 1);
  machine.fft = FftLibrary::cufft;
  for (const auto strategy :
       {Strategy::automatic, Strategy::in_core, Strategy::ring, Strategy::tiles}) {
    const Plan plan = plan_convolution(summable_problem(), machine, strategy);
    EXPECT_EQ(plan.where, Place::gpu);
    EXPECT_EQ(plan.cut.fft, FftLibrary::cufft);
    EXPECT_EQ(plan.device_memory.back().what, "cuFFT's strips and workspace");
    EXPECT_GT(plan.device_memory.back().bytes, 0);
    EXPECT_TRUE(plan_from_json(to_json(plan)) == plan);
  }
  test::expect_failure<PlanError>(
      [&] { (void)plan_convolution(summable_problem(), machine, Strategy::parts); },
      {"cuFFT", "frequency parts", "--fft own"});
  Problem in_double = summable_problem();
  in_double.precision = Precision::float64;
  test::expect_failure<PlanError>([&] { (void)plan_convolution(in_double, machine); },
                                  {"--precision single"});
  machine.gpu.reset();
  test::expect_failure<PlanError>([&] { (void)plan_convolution(summable_problem(), machine); },
                                  {"cuFFT transforms on a GPU", "--fft own"});
}

TEST(Library, OfAPlanIsTheOneItRunsWith) {
  const Plan own = plan_convolution(summable_problem(), machine_with(FftLibrary::own));
  EXPECT_NO_THROW(require_fits(own, machine_with(std::nullopt)));
  EXPECT_NO_THROW(require_fits(own, machine_with(FftLibrary::own)));
  test::expect_failure<InvalidSpec>(
      [&] { require_fits(own, machine_with(FftLibrary::fftw)); },
      {"run the given plan", "those of own", "--fft fftw", "make a new plan"});
  const Plan sums =
      plan_convolution(summable_problem(), machine_with(std::nullopt), Strategy::direct);
  test::expect_failure<InvalidSpec>([&] { require_fits(sums, machine_with(FftLibrary::own)); },
                                    {"sums over the kernel", "--fft own"});
  const Plan other = plan_convolution(summable_problem(), machine_with(FftLibrary::fftw));
  if (is_here(FftLibrary::fftw))
    EXPECT_NO_THROW(require_fits(other, machine_with(std::nullopt)));
  else
    test::expect_failure<InvalidSpec>([&] { require_fits(other, machine_with(std::nullopt)); },
                                      {"run the given plan", "-DSYNTHOSCOPE_FFTW=ON"});
}

TEST(Library, IsNamedWhereAPlanIsExplained) {
  const std::string both = explain(plan_convolution(summable_problem(), machine_with({})));
  EXPECT_NE(both.find(" by own transforms"), std::string::npos) << both;
  EXPECT_NE(both.find(" fftw "), std::string::npos) << both;
  const std::string one =
      explain(plan_convolution(summable_problem(), machine_with(FftLibrary::fftw)));
  EXPECT_NE(one.find(" by fftw\n"), std::string::npos) << one;
}

}  // namespace
}  // namespace synthoscope::fftconv
