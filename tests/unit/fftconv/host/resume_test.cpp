// SPDX-License-Identifier: MIT
// A run that ended after any of its steps is gone on with to the same bits.
#include <gtest/gtest.h>
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kBudget = std::int64_t{1} << 30;
constexpr std::int64_t kNever = -1;

/// Has `steps` of a run done, and asks for a stop once `last` of all are finished.
class StopAfter final : public Checkpoint {
 public:
  StopAfter(const IntervalSet& before, std::int64_t last, StopFlag& stop)
      : finished{before}, last_{last}, stop_{stop} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override {
    return IntervalSet{{0, all}}.without(finished);
  }
  void finish(const IntervalSet& steps) override {
    EXPECT_EQ(steps.count(), 1);
    EXPECT_EQ(steps.without(finished), steps) << "no step is done twice";
    finished.add(steps);
    if (finished.count() == last_) stop_.request();
  }
  IntervalSet finished;

 private:
  std::int64_t last_;
  StopFlag& stop_;
};

struct GoOnCase {
  const char* name;
  Extent3 image, kernel;
  Strategy strategy;
  BoxOrder order = BoxOrder::any;
  Boundary boundary = Boundary::zero;
  bool remove_mean = false;
  std::int64_t at_least = 2;  ///< steps
};

constexpr GoOnCase kCases[] = {
    {"in_core", {9, 12, 13}, {3, 4, 5}, Strategy::in_core, BoxOrder::any, Boundary::zero, false, 1},
    {"ring", {60, 14, 15}, {4, 3, 3}, Strategy::ring},
    {"ring_in_order", {60, 14, 15}, {4, 3, 3}, Strategy::ring, BoxOrder::planes_in_order},
    {"ring_reflected", {60, 14, 15}, {5, 3, 3}, Strategy::ring, BoxOrder::any, Boundary::reflect},
    {"ring_without_mean",
     {60, 14, 15},
     {5, 3, 3},
     Strategy::ring,
     BoxOrder::any,
     Boundary::mirror,
     true},
    {"tiles", {40, 90, 95}, {4, 3, 3}, Strategy::tiles},
    {"tiles_wrapped", {40, 90, 95}, {4, 3, 3}, Strategy::tiles, BoxOrder::any, Boundary::wrap},
    {"flat", {1, 300, 310}, {1, 3, 3}, Strategy::tiles},
};

class GoOn : public testing::TestWithParam<GoOnCase> {
 protected:
  GoOn() : work_{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)} {
    work_.problem.order = GetParam().order;
    work_.problem.boundary = GetParam().boundary;
    work_.problem.remove_mean = GetParam().remove_mean;
    plan_ = plan_convolution(work_.problem, test::machine_with(kBudget), GetParam().strategy);
  }

  /// How many steps are finished when the run ends.
  std::int64_t run(const IntervalSet& finished, std::int64_t last,
                   test::CheckingSink<float>& sink) {
    test::TestContext machine;
    StopAfter checkpoint{finished, last, machine.stop};
    RunContext context = machine.context;
    context.checkpoint = &checkpoint;
    StoreAs store{PixelType::float32};
    try {
      make_host_executor({kBudget})->run(plan_, {&work_.term, 1}, store, sink, context);
    } catch (const Interrupted&) {
      EXPECT_EQ(checkpoint.finished.count(), last) << "stopped elsewhere";
    }
    return checkpoint.finished.count();
  }

  test::WorkCase work_;
  Plan plan_;
};

TEST_P(GoOn, EndsInTheSameBitsAfterAnyStep) {
  test::CheckingSink<float> whole{GetParam().image, GetParam().order};
  const std::int64_t steps = run({}, kNever, whole);
  EXPECT_TRUE(whole.whole());
  ASSERT_GE(steps, GetParam().at_least);
  for (std::int64_t last = 1; last <= steps; ++last) {
    test::CheckingSink<float> sink{GetParam().image, GetParam().order};
    EXPECT_EQ(run({}, last, sink), last);
    EXPECT_EQ(run(IntervalSet{{0, last}}, kNever, sink), steps);
    EXPECT_TRUE(sink.whole()) << "boxes once each, after step " << last;
    EXPECT_EQ(sink.kept.voxels, whole.kept.voxels) << "after step " << last;
  }
}

TEST_P(GoOn, EndsInTheSameBitsHoweverStepsAreSharedOut) {
  if (GetParam().order == BoxOrder::planes_in_order) GTEST_SKIP() << "the sink wants them in order";
  test::CheckingSink<float> whole{GetParam().image, GetParam().order};
  const std::int64_t all = run({}, kNever, whole);
  IntervalSet odd, upper{{all / 2, all}};
  for (std::int64_t step = 1; step < all; step += 2) odd.add({step, 1});
  for (const IntervalSet& others : {odd, upper}) {
    test::CheckingSink<float> sink{GetParam().image, GetParam().order};
    run(others, kNever, sink);
    run(IntervalSet{{0, all}}.without(others), kNever, sink);
    EXPECT_TRUE(sink.whole());
    EXPECT_EQ(sink.kept.voxels, whole.kept.voxels);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, GoOn, testing::ValuesIn(kCases), test::kCaseName);

TEST(GoOnPieces, OfPlanesThatWaitInAFileThatGoesWithTheProcessAreNotCalledFinished) {
  test::WorkCase work{test::noise({40, 90, 95}, 1), test::noise({4, 3, 3}, 2)};
  work.problem.order = BoxOrder::planes_in_order;
  const auto plan = plan_convolution(work.problem, test::machine_with(kBudget), Strategy::tiles);
  test::CheckingSink<float> sink{work.problem.image, BoxOrder::planes_in_order};
  test::TestContext machine;
  StopAfter checkpoint{{}, kNever, machine.stop};
  RunContext context = machine.context;
  context.checkpoint = &checkpoint;
  StoreAs store{PixelType::float32};
  make_host_executor({kBudget})->run(plan, {&work.term, 1}, store, sink, context);
  EXPECT_TRUE(sink.whole());
  EXPECT_EQ(checkpoint.finished.count(), 0);
}

}  // namespace
}  // namespace synthoscope::fftconv
