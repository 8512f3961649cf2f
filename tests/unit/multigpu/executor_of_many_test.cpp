// SPDX-License-Identifier: MIT
// Several executors at once make the bits of one, whatever the plan; the host's stand for devices.
#include "multigpu/executor_of_many.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Executor;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Strategy;
using fftconv::Term;

constexpr std::int64_t kBudget = std::int64_t{1} << 30;

constexpr int kNever = -1;

/// Fails once so many steps are finished.
class LostAfter final : public Checkpoint {
 public:
  LostAfter(Checkpoint& inner, int steps) : inner_{inner}, left_{steps} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override { return inner_.to_do(all); }
  void finish(const IntervalSet& steps) override {
    inner_.finish(steps);
    if (--left_ == 0) throw CudaError("the device is lost");
  }
  [[nodiscard]] bool is_due() const override { return inner_.is_due(); }

 private:
  Checkpoint& inner_;
  int left_;
};

/// A host executor that counts its runs, and is lost after some steps.
class Member final : public Executor {
 public:
  Member(std::vector<int>& runs, std::size_t number, int lost_after)
      : runs_{runs}, number_{number}, lost_after_{lost_after} {}
  [[nodiscard]] fftconv::Machine machine() const override { return host_->machine(); }
  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    ++runs_[number_];
    if (lost_after_ == 0) throw CudaError("the device is lost");
    if (lost_after_ == kNever || !context.checkpoint)
      return host_->run(plan, terms, epilogue, sink, context);
    LostAfter lost{*context.checkpoint, lost_after_};
    return host_->run(
        plan, terms, epilogue, sink,
        {context.pool, context.memory, context.progress, context.log, context.stop, &lost});
  }

 private:
  std::vector<int>& runs_;
  std::size_t number_;
  int lost_after_;
  std::unique_ptr<Executor> host_ = fftconv::make_host_executor({kBudget});
};

struct ManyCase {
  const char* name;
  Extent3 image, kernel;
  Strategy strategy;
  Boundary boundary = Boundary::zero;
  bool remove_mean = false;
  bool shared = true;  ///< there are steps to share
};

constexpr ManyCase kCases[] = {
    {"ring", {60, 14, 15}, {4, 3, 3}, Strategy::ring},
    {"ring_reflected", {60, 14, 15}, {5, 3, 3}, Strategy::ring, Boundary::reflect},
    {"ring_without_mean", {60, 14, 15}, {5, 3, 3}, Strategy::ring, Boundary::mirror, true},
    {"tiles", {40, 90, 95}, {4, 3, 3}, Strategy::tiles},
    {"tiles_wrapped", {40, 90, 95}, {4, 3, 3}, Strategy::tiles, Boundary::wrap},
    {"sums", {700, 90, 95}, {1, 3, 3}, Strategy::direct},
    {"in_core", {9, 12, 13}, {3, 4, 5}, Strategy::in_core, Boundary::zero, false, false},
    {"parts", {40, 12, 13}, {30, 4, 5}, Strategy::parts, Boundary::zero, false, false},
};

class Many : public testing::TestWithParam<ManyCase> {
 protected:
  Many() : work_{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)} {
    work_.problem.boundary = GetParam().boundary;
    work_.problem.remove_mean = GetParam().remove_mean;
    work_.problem.may_sum = GetParam().strategy == Strategy::direct;
    plan_ = plan_convolution(work_.problem, {kBudget}, GetParam().strategy);
  }

  /// @returns the warnings
  std::vector<std::string> run(Executor& executor, Sink& sink, Epilogue& store,
                               std::int64_t bytes = kBudget) {
    test::TestContext machine{4};
    MemoryBudget budget{bytes};
    const RunContext context{machine.context.pool, budget, machine.context.progress,
                             machine.context.log, machine.stop};
    executor.run(plan_, {&work_.term, 1}, store, sink, context);
    return machine.log.warnings;
  }
  /// @param lost_after  steps, by member; those beyond are never lost
  std::unique_ptr<Executor> many(std::size_t members, const std::vector<int>& lost_after = {}) {
    runs_.assign(members, 0);
    std::vector<std::unique_ptr<Executor>> executors;
    for (std::size_t i = 0; i < members; ++i)
      executors.push_back(
          std::make_unique<Member>(runs_, i, i < lost_after.size() ? lost_after[i] : kNever));
    return make_executor_of_many(std::move(executors));
  }

  test::WorkCase work_;
  Plan plan_;
  std::vector<int> runs_;
};

TEST_P(Many, MakeTheBitsOfOne) {
  test::CheckingSink<float> one{GetParam().image, BoxOrder::any};
  StoreAs store{PixelType::float32};
  run(*fftconv::make_host_executor({kBudget}), one, store);
  ASSERT_EQ(fftconv::step_count(plan_) > 1, GetParam().shared);
  for (const std::size_t members : {1u, 2u, 3u, 4u}) {
    test::CheckingSink<float> sink{GetParam().image, BoxOrder::any};
    const auto executor = many(members);
    run(*executor, sink, store);
    EXPECT_TRUE(sink.whole());
    EXPECT_EQ(sink.kept.voxels, one.kept.voxels) << members << " members";
    EXPECT_EQ(std::accumulate(runs_.begin(), runs_.end(), std::int64_t{0}),
              std::min<std::int64_t>(std::ssize(runs_), fftconv::step_count(plan_)));
  }
}

TEST_P(Many, AreOneWhereTheSinkWantsPlanesInOrder) {
  test::CheckingSink<float> sink{GetParam().image, BoxOrder::planes_in_order};
  StoreAs store{PixelType::float32};
  run(*many(3), sink, store);
  EXPECT_TRUE(sink.whole());
  EXPECT_EQ(runs_, (std::vector<int>{1, 0, 0}));
}

TEST_P(Many, AreAsManyAsFitTheBudget) {
  if (!GetParam().shared) GTEST_SKIP() << "one does it all";
  test::CheckingSink<float> sink{GetParam().image, BoxOrder::any};
  StoreAs store{PixelType::float32};
  run(*many(4), sink, store, plan_.memory_bytes() * 5 / 2);
  EXPECT_TRUE(sink.whole());
  EXPECT_EQ(runs_, (std::vector<int>{1, 1, 0, 0}));
}

TEST_P(Many, DoWhatALostOneLeft) {
  if (!GetParam().shared) GTEST_SKIP() << "one does it all";
  StoreAs store{PixelType::float32};
  test::CheckingSink<float> one{GetParam().image, BoxOrder::any};
  run(*many(1), one, store);
  for (const std::vector<int>& lost_after :
       {std::vector{kNever, 0}, {0, kNever, kNever}, {1, 1, kNever}, {1, 1, 0, kNever}}) {
    const auto executor = many(lost_after.size(), lost_after);
    const auto lost = std::count_if(lost_after.begin(), lost_after.end(),
                                    [](int after) { return after != kNever; });
    for (const int round : {1, 2}) {  // lost ones are not asked again
      test::CheckingSink<float> sink{GetParam().image, BoxOrder::any};
      const auto warnings = run(*executor, sink, store);
      EXPECT_TRUE(sink.whole());
      EXPECT_EQ(sink.kept.voxels, one.kept.voxels);
      if (fftconv::step_count(plan_) >= std::ssize(lost_after)) {
        EXPECT_EQ(std::ssize(warnings), round == 1 ? lost : 0) << "one for each";
      }
      for (const std::string& warning : warnings)
        EXPECT_TRUE(warning.starts_with("the device is lost; the run continues without this GPU"));
      for (std::size_t i = 0; i < lost_after.size(); ++i)
        EXPECT_LE(runs_[i], lost_after[i] == kNever ? 2 * std::ssize(runs_) : 1) << round;
    }
  }
}

TEST_P(Many, FailWhereAllAreLost) {
  if (!GetParam().shared) GTEST_SKIP() << "one does it all";
  test::CheckingSink<float> sink{GetParam().image, BoxOrder::any};
  StoreAs store{PixelType::float32};
  EXPECT_THROW(run(*many(3, {0, 1, 0}), sink, store), CudaError);
  EXPECT_FALSE(sink.whole());
}

INSTANTIATE_TEST_SUITE_P(Table, Many, testing::ValuesIn(kCases), test::kCaseName);

/// Keeps how many are asked for; they may have no room.
class AskedForParts final : public PartsOfMany {
 public:
  AskedForParts(std::vector<std::size_t>& asked, bool has_room)
      : asked_{asked}, has_room_{has_room} {}
  RunReport run(std::size_t members, const Plan&, std::span<const Term>, Epilogue&, Sink&,
                const RunContext&) override {
    asked_.push_back(members);
    if (!has_room_) throw OutOfDeviceMemory("allocate 1 GiB on GPU 1 for image");
    return {};
  }

 private:
  std::vector<std::size_t>& asked_;
  bool has_room_;
};

struct SharedPartsCase {
  const char* name;
  std::int64_t parts;
  bool device_folds = true;
  double budget = 100;  ///< in plans
  bool has_room = true;
  std::vector<std::size_t> asked{};  ///< of four
  bool alone = false;
};

TEST(ManyInParts, ShareThePartsThatDevicesFold) {
  const SharedPartsCase cases[] = {
      {"as_many_as_parts", 2, true, 100, true, {2}},
      {"no_more_than_there_are", 6, true, 100, true, {4}},
      {"as_memory_allows", 6, true, 3.5, true, {3}},
      {"one_part", 1, true, 100, true, {}, true},
      {"folded_by_the_host", 4, false, 100, true, {}, true},
      {"memory_for_one", 4, true, 1.5, true, {}, true},
      {"no_room_on_another_device", 4, true, 100, false, {4}, true},
  };
  for (const SharedPartsCase& c : cases) {
    SCOPED_TRACE(c.name);
    const test::WorkCase work{test::noise({40, 12, 13}, 1), test::noise({30, 4, 5}, 2)};
    Plan plan = plan_convolution(work.problem, {kBudget}, Strategy::parts, c.parts);
    plan.cut.fold_on_device = c.device_folds;
    std::vector<int> runs(4);
    std::vector<std::size_t> asked;
    std::vector<std::unique_ptr<Executor>> members;
    for (std::size_t i = 0; i < runs.size(); ++i)
      members.push_back(std::make_unique<Member>(runs, i, kNever));
    const auto executor = make_executor_of_many(std::move(members),
                                                std::make_unique<AskedForParts>(asked, c.has_room));
    test::TestContext machine{
        2, static_cast<std::int64_t>(c.budget * static_cast<double>(plan.memory_bytes()))};
    test::CheckingSink<float> sink{{40, 12, 13}, BoxOrder::any};
    StoreAs store{PixelType::float32};
    executor->run(plan, {&work.term, 1}, store, sink, machine.context);
    EXPECT_EQ(asked, c.asked);
    EXPECT_EQ(runs.front(), c.alone ? 1 : 0);
    EXPECT_EQ(sink.whole(), c.alone);
    EXPECT_EQ(machine.log.notes.empty(), c.asked == std::vector<std::size_t>{4} && c.has_room)
        << "what is not as asked for is told";
  }
}

}  // namespace
}  // namespace synthoscope::multigpu
