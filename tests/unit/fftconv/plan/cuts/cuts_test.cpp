// SPDX-License-Identifier: MIT
// Every way of cutting a convolution gives what the definition gives.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "fftconv/host/executor.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/plan_case.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::fftconv {
namespace {

using test::noise;
using test::run_plan;

const Machine kLarge = test::machine_with(std::int64_t{8} << 30);

/// The plan that a candidate would become.
Plan plan_of(const Problem& problem, const Candidate& candidate) {
  Plan plan;
  plan.problem = problem;
  plan.work = work_problem(problem, candidate.cut);
  plan.strategy = candidate.strategy;
  plan.transform = candidate.transform;
  plan.cut = candidate.cut;
  plan.memory = memory_of(make_layout(plan.work, plan.transform, plan.cut), plan.work);
  return plan;
}

struct CutCase {
  const char* name;
  Extent3 image, kernel;
};

constexpr CutCase kCutCases[] = {
    {"tall", {40, 7, 6}, {5, 3, 3}},
    {"tall_with_even_kernel", {33, 6, 9}, {4, 2, 4}},
    {"tall_with_deep_kernel", {30, 5, 5}, {13, 3, 2}},
    {"tall_with_thin_kernel", {25, 6, 6}, {1, 3, 3}},
    {"cube", {14, 15, 16}, {3, 4, 5}},
    {"wide", {3, 40, 45}, {2, 5, 6}},
    {"primes", {13, 29, 31}, {5, 3, 7}},
    {"flat", {1, 41, 37}, {1, 5, 6}},
    {"line", {1, 1, 90}, {1, 1, 9}},
    {"kernel_wider_than_image", {20, 6, 6}, {3, 11, 9}},
    {"kernel_deeper_than_image", {6, 20, 20}, {11, 3, 3}},
};

class AnyCut : public testing::TestWithParam<CutCase> {
 protected:
  /// Runs every candidate of ring, tiles and parts in double against the definition.
  void expect_all_right(const Problem& problem) {
    const auto expected = test::direct_convolution(image_, kernel_, problem);
    const auto peak = test::peak_of_absolutes(image_, kernel_, problem);
    const Problem work = work_problem(problem);
    const HostSite site{{}, kLarge.fft.value_or(FftLibrary::own)};
    auto candidates = ring_candidates(work, site);
    for (const Candidate& tiled : tile_candidates(work, site)) candidates.push_back(tiled);
    for (const Candidate& part : parts_candidates(work, site)) candidates.push_back(part);
    // Every seventh, beginning with another one each time: all of them over the whole table
    for (std::size_t i = turn_++ % 7; i < candidates.size(); i += 7) {
      const Candidate& candidate = candidates[i];
      const auto ran = run_plan(plan_of(problem, candidate), image_, kernel_);
      long double worst = 0;
      for (std::size_t v = 0; v < expected.voxels.size(); ++v)
        worst = std::max(worst, std::abs(expected.voxels[v] - ran.result.voxels[v]));
      ++cuts_;
      ASSERT_LE(worst, 1e-14L * peak)
          << name_of(candidate.strategy) << " transform " << candidate.transform << " at once "
          << candidate.cut.result << (candidate.cut.keep_transfer ? " kept " : " ")
          << candidate.cut.parts << " parts " << (candidate.cut.parts_on_disk ? "on disk " : "")
          << (candidate.cut.along_y ? "along y " : "") << name_of(problem.boundary) << " "
          << name_of(problem.shape) << (problem.correlate ? " correlated" : "");
    }
  }

  Volume<double> image_ = noise(GetParam().image, 3, -1, 1);
  Volume<double> kernel_ = noise(GetParam().kernel, 4, -0.5, 1);
  std::size_t cuts_ = 0, turn_ = 0;
};

TEST_P(AnyCut, EqualsTheDefinition) {
  Problem problem;
  problem.image = GetParam().image;
  problem.kernel = GetParam().kernel;
  problem.precision = Precision::float64;
  const Extent3 k = problem.kernel;
  for (const bool correlate : {false, true})
    for (const Index3& center :
         {Index3{(k.z - 1) / 2, (k.y - 1) / 2, (k.x - 1) / 2}, Index3{k.z - 1, 0, k.x / 3}}) {
      problem.correlate = correlate;
      problem.center = center;
      for (const auto boundary : {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                  Boundary::mirror, Boundary::wrap}) {
        problem.boundary = boundary;
        problem.shape = Shape::same;
        expect_all_right(problem);
      }
      problem.boundary = Boundary::zero;
      problem.shape = Shape::full;
      expect_all_right(problem);
      problem.shape = Shape::valid;
      if (k.z <= problem.image.z && k.y <= problem.image.y && k.x <= problem.image.x)
        expect_all_right(problem);
    }
  EXPECT_GT(cuts_, 0U) << "there was nothing to cut";
}

INSTANTIATE_TEST_SUITE_P(Table, AnyCut, testing::ValuesIn(kCutCases), test::kCaseName);

TEST(Cuts, TakeTheMeanOutAndPutItBackInEveryTileAndTurn) {
  // A kernel that cancels, on an image a thousand times its own variation
  auto image = noise({30, 31, 33}, 5, 999, 1001), kernel = noise({5, 4, 3}, 6, -1, 1);
  double sum = 0;
  for (const double v : kernel.voxels) sum += v;
  kernel.voxels.front() -= sum;
  Problem problem;
  problem.image = image.extent;
  problem.kernel = kernel.extent;
  problem.center = {2, 1, 1};
  problem.remove_mean = true;
  for (const auto boundary : {Boundary::zero, Boundary::reflect}) {
    problem.boundary = boundary;
    const auto expected = test::direct_convolution(image, kernel, problem);
    for (const auto strategy : {Strategy::ring, Strategy::tiles, Strategy::parts}) {
      const auto ran = run_plan(plan_convolution(problem, kLarge, strategy), image, kernel);
      long double difference = 0, norm = 0;
      for (std::size_t i = 0; i < expected.voxels.size(); ++i) {
        const long double d = expected.voxels[i] - ran.result.voxels[i];
        difference += d * d;
        norm += expected.voxels[i] * expected.voxels[i];
      }
      EXPECT_LE(std::sqrt(difference / norm), 1e-5L)
          << name_of(strategy) << " " << name_of(boundary);
    }
  }
}

TEST(Cuts, AreTheSameForAnyNumberOfThreads) {
  const auto image = noise({40, 23, 29}, 7), kernel = noise({6, 5, 4}, 8);
  Problem problem;
  problem.image = image.extent;
  problem.kernel = kernel.extent;
  for (const auto strategy : {Strategy::ring, Strategy::tiles, Strategy::parts}) {
    const auto plan = plan_convolution(problem, kLarge, strategy);
    const auto one = run_plan(plan, image, kernel, 1);
    for (const int threads : {2, 3, 7})
      EXPECT_EQ(run_plan(plan, image, kernel, threads).result.voxels, one.result.voxels)
          << name_of(strategy) << " " << threads;
  }
}

TEST(Cuts, AreChosenWhenMemoryIsShortAndKeepTheBudget) {
  Problem problem;
  problem.image = {64, 96, 96};
  problem.kernel = {5, 9, 9};
  problem.center = {2, 4, 4};
  const auto whole = plan_convolution(problem, kLarge, Strategy::in_core);
  const auto image = noise(problem.image, 9), kernel = noise(problem.kernel, 10);
  const auto expected = run_plan(whole, image, kernel);
  for (const std::int64_t divisor : {2, 3, 8}) {
    const Machine machine = test::machine_with(whole.memory_bytes() / divisor);
    const auto plan = plan_convolution(problem, machine);
    EXPECT_NE(plan.strategy, Strategy::in_core);
    EXPECT_LE(plan.memory_bytes(), machine.host_bytes);
    const auto ran = run_plan(plan, image, kernel, 1);
    EXPECT_LE(ran.report.peak_memory_bytes, plan.memory_bytes());
    double worst = 0, peak = 0;
    for (std::size_t i = 0; i < expected.result.voxels.size(); ++i) {
      worst = std::max(worst, std::abs(expected.result.voxels[i] - ran.result.voxels[i]));
      peak = std::max(peak, std::abs(expected.result.voxels[i]));
    }
    EXPECT_LE(worst, 1e-6 * peak) << explain(plan);
  }
}

TEST(Cuts, LetPiecesOfPlanesWaitOnDiskForASinkThatTakesPlanesInOrder) {
  Problem problem;
  problem.image = {200, 200, 200};
  problem.kernel = {5, 9, 9};
  problem.center = {2, 4, 4};
  problem.order = BoxOrder::planes_in_order;
  for (const auto strategy : {Strategy::ring, Strategy::tiles, Strategy::parts}) {
    const auto plan = plan_convolution(problem, kLarge, strategy);
    EXPECT_EQ(finishes_in_order(plan), strategy == Strategy::ring);
    const std::int64_t waiting = test::chosen(plan).scratch_bytes;
    const std::int64_t result = volume(problem.image) * problem.result_voxel_bytes;
    if (strategy == Strategy::ring)
      EXPECT_EQ(waiting, 0);
    else
      EXPECT_GE(waiting, result) << name_of(strategy);
  }
  // The rows of a flat image are pieces of its only plane
  problem.image = {1, 200, 200};
  problem.kernel = {1, 9, 9};
  problem.center = {0, 4, 4};
  EXPECT_THROW((void)plan_convolution(problem, kLarge, Strategy::parts), PlanError);
}

TEST(Cuts, ComeInAsManyPartsAsAreAskedFor) {
  Problem problem;
  problem.image = {20, 12, 12};
  problem.kernel = {20, 12, 12};
  problem.center = {9, 5, 5};
  const auto image = noise(problem.image, 11), kernel = noise(problem.kernel, 12);
  const auto whole = run_plan(plan_convolution(problem, kLarge), image, kernel);
  for (const std::int64_t parts : {1, 2, 3, 8, 16}) {
    const auto plan = plan_convolution(problem, kLarge, Strategy::parts, parts);
    EXPECT_EQ(plan.cut.parts, parts);
    const auto ran = run_plan(plan, image, kernel);
    double worst = 0, peak = 0;
    for (std::size_t i = 0; i < whole.result.voxels.size(); ++i) {
      worst = std::max(worst, std::abs(whole.result.voxels[i] - ran.result.voxels[i]));
      peak = std::max(peak, whole.result.voxels[i]);
    }
    EXPECT_LE(worst, 1e-6 * peak) << parts;
  }
  EXPECT_THROW((void)plan_convolution(problem, kLarge, Strategy::ring, 2), InvalidSpec);
  EXPECT_THROW((void)plan_convolution(problem, kLarge, Strategy::parts, 257), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::fftconv
