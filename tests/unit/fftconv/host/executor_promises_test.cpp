// SPDX-License-Identifier: MIT
// What an executor promises beside the right result: threads, order, memory, stopping, refusals.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <algorithm>
#include <cstring>
#include "core/base/error.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kRoom = std::int64_t{1} << 30;

Plan plan_for(const Problem& problem) {
  return plan_convolution(problem, test::machine_with(kRoom));
}

RunReport run(const Plan& plan, const std::vector<Term>& terms, PixelType type, Sink& sink,
              const RunContext& context) {
  StoreAs store{type};
  return make_host_executor({kRoom})->run(plan, terms, store, sink, context);
}

struct SizeCase {
  const char* name;
  Extent3 image, kernel;
};

// Plane and row counts that no number of threads divides, small and large planes, flat images.
constexpr SizeCase kSizeCases[] = {
    {"odd_planes", {23, 31, 37}, {5, 4, 7}},     {"many_small_planes", {101, 3, 5}, {7, 2, 2}},
    {"few_tall_planes", {3, 151, 9}, {2, 9, 3}}, {"flat", {1, 137, 61}, {1, 6, 11}},
    {"line", {1, 1, 211}, {1, 1, 12}},           {"one_plane_deep_kernel", {1, 67, 33}, {3, 5, 5}},
};

class AnySize : public testing::TestWithParam<SizeCase> {
 protected:
  test::WorkCase work_{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)};
};

TEST_P(AnySize, GivesTheSameBytesWhateverTheThreads) {
  // As many real threads as are asked for, even on a machine with fewer cores
  const tbb::global_control crowd{tbb::global_control::max_allowed_parallelism, 7};
  for (const auto precision : {Precision::float32, Precision::float64})
    for (const auto boundary : {Boundary::zero, Boundary::reflect}) {
      work_.problem.precision = precision;
      work_.problem.boundary = boundary;
      const auto once = test::run_convolution(work_.image, work_.kernel, work_.problem, 1);
      for (const int threads : {2, 3, 7}) {
        const auto ran = test::run_convolution(work_.image, work_.kernel, work_.problem, threads);
        EXPECT_TRUE(ran.plan == once.plan);
        EXPECT_EQ(std::memcmp(ran.result.voxels.data(), once.result.voxels.data(),
                              once.result.voxels.size() * sizeof(double)),
                  0)
            << threads << " threads, " << name_of(precision);
      }
    }
}

TEST_P(AnySize, CoversEverySinkOnceInTheOrderItAccepts) {
  const auto plan = plan_for(work_.problem);
  const auto expected = test::run_convolution(work_.image, work_.kernel, work_.problem);
  for (const auto order : {BoxOrder::any, BoxOrder::planes_in_order})
    for (const int threads : {1, 3}) {
      test::TestContext machine{threads};
      test::CheckingSink<double> sink{output_extent(work_.problem), order};
      run(plan, {work_.term}, PixelType::float64, sink, machine.context);
      EXPECT_TRUE(sink.whole());
      EXPECT_FALSE(sink.closed) << "closing is for whoever opened it";
      EXPECT_EQ(sink.kept.voxels, expected.result.voxels);
      EXPECT_EQ(machine.memory.used(), 0);
    }
}

TEST_P(AnySize, HoldsNoMoreThanThePlanAndAScratchPerFurtherThread) {
  const auto plan = plan_for(work_.problem);
  ASSERT_EQ(plan.memory.back().what, "scratch of a thread");
  for (const int threads : {1, 2, 5}) {
    const std::int64_t promised = plan.memory_bytes() + (threads - 1) * plan.memory.back().bytes;
    test::TestContext machine{threads, promised};
    test::CheckingSink<float> sink{output_extent(work_.problem), BoxOrder::any};
    const auto report = run(plan, {work_.term}, PixelType::float32, sink, machine.context);
    EXPECT_LE(machine.memory.peak(), promised);
    EXPECT_GT(machine.memory.peak(), promised - 1024) << "the promise is no overstatement";
    EXPECT_EQ(report.peak_memory_bytes, machine.memory.peak());
    EXPECT_TRUE(sink.whole());
  }
}

TEST_P(AnySize, RefusesABudgetBelowTheNeedBeforeItReadsAVoxel) {
  const auto plan = plan_for(work_.problem);
  test::CheckingSink<float> sink{output_extent(work_.problem), BoxOrder::any};
  test::CountingSource image{work_.image_source}, kernel{work_.kernel_source};
  test::TestContext machine{2, plan.memory_bytes() - 1};
  const Term term{&image, {&kernel, 0, 1}, {}};
  EXPECT_THROW(run(plan, {term}, PixelType::float32, sink, machine.context), PlanError);
  EXPECT_EQ(image.reads(), 0);
  EXPECT_EQ(kernel.reads(), 0);
  EXPECT_EQ(machine.memory.used(), 0);
}

TEST_P(AnySize, RunsWithinItsPlanForSinksThatTakePlanesInOrder) {
  Problem problem = work_.problem;
  problem.order = BoxOrder::planes_in_order;
  const auto plan = plan_for(problem);
  test::TestContext machine{5, plan.memory_bytes()};
  test::CheckingSink<double> sink{output_extent(problem), BoxOrder::planes_in_order};
  run(plan, {work_.term}, PixelType::float64, sink, machine.context);
  EXPECT_TRUE(sink.whole());
}

TEST_P(AnySize, UsesFewerThreadsWhereMemoryHasScratchForNoMore) {
  const auto plan = plan_for(work_.problem);
  test::TestContext machine{5, plan.memory_bytes()};
  test::CheckingSink<double> sink{output_extent(work_.problem), BoxOrder::any};
  run(plan, {work_.term}, PixelType::float64, sink, machine.context);
  EXPECT_EQ(sink.kept.voxels,
            test::run_convolution(work_.image, work_.kernel, work_.problem).result.voxels);
}

INSTANTIATE_TEST_SUITE_P(Table, AnySize, testing::ValuesIn(kSizeCases), test::kCaseName);

/// A 23 x 31 x 37 image and a 5 x 4 x 7 kernel.
struct Ordinary : test::WorkCase {
  Ordinary() : WorkCase{test::noise({23, 31, 37}, 1), test::noise({5, 4, 7}, 2)} {}
};

TEST(HostExecutor, AsksForTheMemoryOfARemovedMeanBeforeItReadsAVoxel) {
  for (const auto boundary : {Boundary::zero, Boundary::reflect}) {
    Ordinary work;
    work.problem.remove_mean = true;
    work.problem.boundary = boundary;
    const auto plan = plan_for(work.problem);
    test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
    test::TestContext exact{1, plan.memory_bytes()}, less{1, plan.memory_bytes() - 1024};
    run(plan, {work.term}, PixelType::float32, sink, exact.context);
    EXPECT_TRUE(sink.whole());
    test::CountingSource image{work.image_source}, kernel{work.kernel_source};
    EXPECT_THROW(run(plan, {{&image, {&kernel, 0, 1}, {}}}, PixelType::float32, sink, less.context),
                 PlanError);
    EXPECT_EQ(image.reads() + kernel.reads(), 0) << name_of(boundary);
  }
}

struct PartsCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t parts;
};

// Few or long rows and many parts: every part adds two results to each voxel while it is unfolded.
constexpr PartsCase kPartsCases[] = {
    {"one_long_row", {100, 1, 5000}, {101, 1, 101}, 16},
    {"flat", {1, 256, 3000}, {1, 255, 9}, 64},
    {"two_rows", {60, 2, 700}, {61, 2, 5}, 32},
    {"ordinary", {23, 31, 37}, {5, 4, 7}, 4},
    {"one_voxel_wide", {600, 7, 1}, {9, 7, 1}, 256},
    {"one_plane_of_a_deep_kernel", {1, 157, 102}, {9, 9, 9}, 4},
};

class InParts : public testing::TestWithParam<PartsCase> {};

TEST_P(InParts, HoldsNoMoreThanThePlanAndAScratchPerFurtherThread) {
  const test::WorkCase work{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)};
  const auto plan =
      plan_convolution(work.problem, test::machine_with(kRoom), Strategy::parts, GetParam().parts);
  test::CheckingSink<double> expected{work.image.extent, BoxOrder::any};
  test::TestContext roomy{1};
  run(plan, {work.term}, PixelType::float64, expected, roomy.context);
  for (const int threads : {1, 5}) {
    test::TestContext machine{threads,
                              plan.memory_bytes() + (threads - 1) * plan.memory.back().bytes};
    test::CheckingSink<double> sink{work.image.extent, BoxOrder::any};
    run(plan, {work.term}, PixelType::float64, sink, machine.context);
    EXPECT_TRUE(sink.whole());
    EXPECT_EQ(sink.kept.voxels, expected.kept.voxels);
  }
}

TEST_P(InParts, RunWithinTheirPlanForSinksThatTakePlanesInOrder) {
  test::WorkCase work{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)};
  work.problem.order = BoxOrder::planes_in_order;
  const auto plan_it = [&] {
    return plan_convolution(work.problem, test::machine_with(kRoom), Strategy::parts,
                            GetParam().parts);
  };
  if (work.image.extent.z * work.kernel.extent.z == 1) {
    EXPECT_THROW(plan_it(), PlanError);  // the only plane of a flat image cannot be in parts
    return;
  }
  const auto plan = plan_it();
  test::TestContext machine{1, plan.memory_bytes()};
  test::CheckingSink<double> sink{work.image.extent, BoxOrder::planes_in_order};
  run(plan, {work.term}, PixelType::float64, sink, machine.context);
  EXPECT_TRUE(sink.whole());
}

INSTANTIATE_TEST_SUITE_P(Table, InParts, testing::ValuesIn(kPartsCases), test::kCaseName);

TEST(HostExecutor, AsksForTheMemoryOfWaitingPlanesBeforeItReadsAVoxel) {
  Ordinary work;
  const auto plan = plan_for(work.problem);
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::planes_in_order};
  test::CountingSource image{work.image_source}, kernel{work.kernel_source};
  test::TestContext machine{1, plan.memory_bytes()};
  EXPECT_THROW(
      run(plan, {{&image, {&kernel, 0, 1}, {}}}, PixelType::float32, sink, machine.context),
      PlanError);
  EXPECT_EQ(image.reads() + kernel.reads(), 0);
}

TEST(HostExecutor, ReadsEveryImagePlaneOnce) {
  Ordinary work;
  test::CountingSource image{work.image_source}, kernel{work.kernel_source};
  test::TestContext machine;
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  run(plan_for(work.problem), {{&image, {&kernel, 0, 1}, {}}}, PixelType::float32, sink,
      machine.context);
  EXPECT_LE(image.reads(), 23);
  EXPECT_LE(kernel.reads(), 5);
}

TEST(HostExecutor, StopsWhenAskedToAndLeavesTheSinkOpen) {
  Ordinary work;
  test::TestContext machine;
  machine.stop.request();
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  EXPECT_THROW(run(plan_for(work.problem), {work.term}, PixelType::float32, sink, machine.context),
               Interrupted);
  EXPECT_FALSE(sink.closed);
  EXPECT_EQ(machine.memory.used(), 0);
}

TEST(HostExecutor, StopsWhileTheMeanIsLookedFor) {
  for (const bool in_kernel : {true, false}) {
    Ordinary work;
    work.problem.remove_mean = true;
    test::TestContext machine;
    test::StoppingSource image{work.image_source, machine.stop, in_kernel ? 1 << 30 : 2};
    test::StoppingSource kernel{work.kernel_source, machine.stop, in_kernel ? 2 : 1 << 30};
    test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
    EXPECT_THROW(run(plan_for(work.problem), {{&image, {&kernel, 0, 1}, {}}}, PixelType::float32,
                     sink, machine.context),
                 Interrupted);
    EXPECT_EQ(image.reads(), in_kernel ? 0 : 2);
    EXPECT_EQ(kernel.reads(), in_kernel ? 2 : 5);
  }
}

TEST(HostExecutor, StopsInTheMiddleOfReading) {
  Ordinary work;
  test::TestContext machine;
  test::StoppingSource image{work.image_source, machine.stop, 2};
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  const Term term{&image, {&work.kernel_source, 0, 1}, {}};
  EXPECT_THROW(run(plan_for(work.problem), {term}, PixelType::float32, sink, machine.context),
               Interrupted);
  EXPECT_FALSE(sink.whole());
}

TEST(HostExecutor, LooksAtAStopInEveryGroupOfLines) {
  // Planes of some megabytes, which a thread transforms at once
  Volume<double> box{{2, 9, 9}};
  std::fill(box.voxels.begin(), box.voxels.end(), 1.0);
  test::WorkCase work{test::noise({2, 300, 300}, 1), std::move(box)};
  work.problem.may_sum = work.problem.is_product = true;
  for (const Strategy strategy : {Strategy::in_core, Strategy::ring, Strategy::tiles,
                                  Strategy::parts, Strategy::direct, Strategy::separable}) {
    SCOPED_TRACE(name_of(strategy));
    const Machine on = test::machine_with(kRoom);
    if (on.fft && is_by_sums(strategy)) continue;
    const Plan plan = plan_convolution(work.problem, on, strategy);
    bool was_stopped = true;
    for (std::int64_t look = 0; was_stopped; look = 3 * look + 1) {
      test::TestContext machine{1};
      machine.stop.request_at_check(look);
      test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
      was_stopped = false;
      try {
        run(plan, {work.term}, PixelType::float32, sink, machine.context);
      } catch (const Interrupted&) {
        was_stopped = true;
      }
      EXPECT_EQ(sink.whole(), !was_stopped);
      EXPECT_EQ(machine.memory.used(), 0);
      if (look <= 121) {  // of 600 lines, 16 of them in a group at most, forth and back
        EXPECT_TRUE(was_stopped) << "look " << look;
      }
    }
  }
}

/// Fails like a broken disk.
class BrokenSource final : public Source {
 public:
  explicit BrokenSource(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3&, VoxelView) override { throw IoError("the disk is gone"); }

 private:
  Extent3 extent_;
};

TEST(HostExecutor, PassesOnWhatASourceThrows) {
  Ordinary work;
  BrokenSource broken{work.image.extent};
  test::TestContext machine{3};
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  const Term term{&broken, {&work.kernel_source, 0, 1}, {}};
  EXPECT_THROW(run(plan_for(work.problem), {term}, PixelType::float32, sink, machine.context),
               IoError);
  EXPECT_EQ(machine.memory.used(), 0);
}

std::string refusal(const Plan& plan, const std::vector<Term>& terms, const Extent3& extent) {
  test::TestContext machine;
  test::CheckingSink<float> sink{extent, BoxOrder::any};
  try {
    run(plan, terms, PixelType::float32, sink, machine.context);
  } catch (const PlanError& failure) {
    return failure.what();
  }
  return "it was run";
}

TEST(HostExecutor, RefusesPlansOfOtherExtents) {
  Ordinary work;
  Problem other = work.problem;
  other.image.x = 36;
  EXPECT_EQ(refusal(plan_for(other), {work.term}, other.image),
            "run the plan: it is for an image of 23x31x36 and a kernel of 5x4x7, but they have "
            "23x31x37 and 5x4x7; make a new plan");
}

TEST(HostExecutor, RefusesAnotherNumberOfTerms) {
  Ordinary work;
  EXPECT_EQ(refusal(plan_for(work.problem), {work.term, work.term}, work.image.extent),
            "run the plan: it is for 1 terms, 2 were given; make a new plan");
}

TEST(HostExecutor, SaysWhatARingReadsNextSoThatItCanBeBroughtInMeanwhile) {
  for (const auto boundary : {Boundary::zero, Boundary::mirror, Boundary::wrap}) {
    Ordinary work;
    work.problem.boundary = boundary;
    test::TestContext machine;
    const auto plan =
        plan_convolution(work.problem, test::machine_with(machine.memory.limit()), Strategy::ring);
    test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
    test::CountingSource image{work.image_source};
    run(plan, {{&image, work.term.kernel, {}}}, PixelType::float32, sink, machine.context);
    // All planes but those of the first turn
    const std::int64_t loaded = boundary == Boundary::zero ? 23 : 23 + 5 - 1;
    EXPECT_EQ(
        image.expectations(),
        loaded -
            ring_turns_of(make_layout(plan.work, plan.transform, plan.cut)).front().load.count);
  }
}

TEST(HostExecutor, SaysWhatTheNextTileReadsWhileTheLastTurnOfOneIsComputed) {
  Ordinary work;
  test::TestContext machine;
  const auto plan =
      plan_convolution(work.problem, test::machine_with(machine.memory.limit()), Strategy::tiles);
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  test::CountingSource image{work.image_source};
  run(plan, {{&image, work.term.kernel, {}}}, PixelType::float32, sink, machine.context);
  const auto layout = make_layout(plan.work, plan.transform, plan.cut);
  const auto tiles = static_cast<std::int64_t>(tiles_of(plan.work, plan.cut).size());
  ASSERT_GT(tiles, 1);
  std::int64_t loaded = 0;
  for (const auto& turn : ring_turns_of(layout)) loaded += turn.load.count;
  EXPECT_EQ(image.expectations(), tiles * loaded - ring_turns_of(layout).front().load.count);
}

TEST(HostExecutor, KeepsPiecesOfPlanesUntilASinkThatTakesThemWholeMayHaveThem) {
  Ordinary work;
  for (const auto strategy : {Strategy::tiles, Strategy::parts}) {
    test::TestContext machine;
    const auto plan =
        plan_convolution(work.problem, test::machine_with(machine.memory.limit()), strategy);
    test::CheckingSink<float> in_order{work.image.extent, BoxOrder::planes_in_order};
    test::CheckingSink<float> any{work.image.extent, BoxOrder::any};
    run(plan, {work.term}, PixelType::float32, in_order, machine.context);
    run(plan, {work.term}, PixelType::float32, any, machine.context);
    EXPECT_TRUE(in_order.whole()) << name_of(strategy);
    EXPECT_EQ(in_order.kept.voxels, any.kept.voxels) << name_of(strategy);
  }
}

TEST(HostExecutor, GivesARingsPlanesInOrderToSinksThatWantThem) {
  Ordinary work;
  test::TestContext machine;
  const auto plan =
      plan_convolution(work.problem, test::machine_with(machine.memory.limit()), Strategy::ring);
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::planes_in_order};
  run(plan, {work.term}, PixelType::float32, sink, machine.context);
  EXPECT_TRUE(sink.whole());
}

TEST(HostExecutor, RefusesWeightsThatAreNotOnePerPlane) {
  Ordinary work;
  work.term.weight_z = {1, 2, 3};
  EXPECT_EQ(refusal(plan_for(work.problem), {work.term}, work.image.extent),
            "run the plan: a term has 3 weights along z for 23 planes; give one per plane and "
            "leave the mean in, or none");
  work.term.weight_z.assign(23, 1.0);
  work.problem.remove_mean = true;
  EXPECT_EQ(refusal(plan_for(work.problem), {work.term}, work.image.extent),
            "run the plan: a term has 23 weights along z for 23 planes with the image mean "
            "subtracted; give one per plane and leave the mean in, or none");
}

TEST(HostExecutor, ReportsItsStagesAndInstructionSet) {
  Ordinary work;
  test::TestContext machine;
  test::CheckingSink<float> sink{work.image.extent, BoxOrder::any};
  const auto report =
      run(plan_for(work.problem), {work.term}, PixelType::float32, sink, machine.context);
  EXPECT_FALSE(report.instruction_set.empty());
  double sum = 0;
  for (const auto& [stage, seconds] : report.stages) sum += seconds;
  EXPECT_GE(report.stages.size(), 4u);
  EXPECT_LE(sum, report.seconds);
  EXPECT_NEAR(sum, report.seconds, 1e-2);
}

}  // namespace
}  // namespace synthoscope::fftconv
