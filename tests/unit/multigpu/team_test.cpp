// SPDX-License-Identifier: MIT
// Several members that exchange frequency parts make the bits of one; threads stand for processes.
#include "fftconv/team.hpp"
#include <gtest/gtest.h>
#include <barrier>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/host/parts/exchange.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Plan;
using fftconv::Strategy;

constexpr std::int64_t kBudget = std::int64_t{1} << 30;

/// Messages that are on their way between the threads of a test.
class Post {
 public:
  explicit Post(std::int64_t members) : barrier_{members} {}
  void send(std::int64_t from, std::int64_t to, std::span<const std::byte> bytes) {
    const std::lock_guard lock{mutex_};
    boxes_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    came_.notify_all();
  }
  void take(std::int64_t from, std::int64_t to, std::span<std::byte> bytes) {
    std::unique_lock lock{mutex_};
    auto& box = boxes_[{from, to}];
    came_.wait(lock, [&] { return !box.empty(); });
    ASSERT_EQ(box.front().size(), bytes.size());
    std::copy(box.front().begin(), box.front().end(), bytes.begin());
    box.pop_front();
  }
  void wait() { barrier_.arrive_and_wait(); }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::deque<std::vector<std::byte>>> boxes_;
  std::barrier<> barrier_;
};

class ThreadTeam final : public fftconv::Team {
 public:
  ThreadTeam(Post& post, const Shard& member) : post_{post}, member_{member} {}
  [[nodiscard]] Shard member() const override { return member_; }
  void exchange(std::int64_t to, std::span<const std::byte> out, std::int64_t from,
                std::span<std::byte> in) override {
    if (!out.empty()) post_.send(member_.number, to, out);
    if (!in.empty()) post_.take(from, member_.number, in);
  }
  void wait_for_all() override { post_.wait(); }

 private:
  Post& post_;
  Shard member_;
};

/// Steps that are told to be done.
class Steps final : public Checkpoint {
 public:
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override { return IntervalSet{{0, all}}; }
  void finish(const IntervalSet& steps) override { finished = steps; }
  IntervalSet finished;
};

struct TeamCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t parts;
  bool on_disk = false, remove_mean = false;
};

constexpr TeamCase kCases[] = {
    {"one_part", {20, 12, 13}, {15, 4, 5}, 1},
    {"fewer_parts_than_members", {40, 12, 13}, {30, 4, 5}, 2},
    {"odd_parts", {41, 12, 13}, {31, 4, 5}, 3},
    {"many_parts", {64, 9, 11}, {64, 9, 11}, 8},
    {"more_parts_than_planes", {33, 9, 11}, {5, 3, 3}, 16},
    {"in_files", {40, 12, 13}, {30, 4, 5}, 4, true},
    {"without_mean", {40, 12, 13}, {30, 4, 5}, 4, false, true},
};

class Teams : public testing::TestWithParam<TeamCase> {
 protected:
  Teams() : work_{test::noise(GetParam().image, 1), test::noise(GetParam().kernel, 2)} {
    work_.problem.remove_mean = GetParam().remove_mean;
    plan_ = plan_convolution(work_.problem, test::machine_with(kBudget), Strategy::parts,
                             GetParam().parts);
    plan_.cut.parts_on_disk = GetParam().on_disk;
  }

  /// @returns the bytes of memory at the peak
  std::int64_t run(fftconv::Team* team, Sink& sink, Checkpoint* steps) {
    test::TestContext machine{2};
    MemoryBudget budget{kBudget};
    StoreAs store{PixelType::float32};
    const RunContext context{machine.context.pool, budget,       machine.context.progress,
                             machine.context.log,  machine.stop, steps};
    return fftconv::make_host_executor({kBudget}, folder_ / "", team)
        ->run(plan_, {&work_.term, 1}, store, sink, context)
        .peak_memory_bytes;
  }

  test::TemporaryFolder folder_;
  test::WorkCase work_;
  Plan plan_;
};

TEST_P(Teams, MakeTheBitsOfOneEachItsStep) {
  test::CheckingSink<float> one{GetParam().image, BoxOrder::any};
  const std::int64_t alone = run(nullptr, one, nullptr);
  for (const std::int64_t members : {1, 2, 3, 4}) {
    test::CheckingSink<float> sink{GetParam().image, BoxOrder::any};
    Post post{members};
    std::vector<std::jthread> threads;
    for (std::int64_t number = 1; number <= members; ++number)
      threads.emplace_back([&, number] {
        ThreadTeam team{post, {number, members}};
        Steps steps;
        const std::int64_t peak = run(&team, sink, &steps);
        EXPECT_EQ(steps.finished, IntervalSet({number - 1, 1}));
        if (members > 1 && GetParam().parts >= 2 * members) {
          EXPECT_LE(peak, alone);
        }
      });
    threads.clear();
    EXPECT_TRUE(sink.whole()) << members << " members";
    EXPECT_EQ(sink.kept.voxels, one.kept.voxels) << members << " members";
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Teams, testing::ValuesIn(kCases), test::kCaseName);

TEST(PartsShares, CoverPartsAndPlanesOnce) {
  const fftconv::Decimation decimation{5, 7};
  for (const std::int64_t count : {1, 2, 3, 9}) {
    std::int64_t part = 0, plane = 0;
    for (std::int64_t number = 1; number <= count; ++number) {
      const auto share = fftconv::share_of_parts(decimation, 6, {number, count});
      EXPECT_EQ(share.parts.first, part);
      EXPECT_EQ(share.planes.first, plane);
      part = share.parts.end();
      plane = share.planes.end();
    }
    EXPECT_EQ(part, 5);
    EXPECT_EQ(plane, 6);  // no result needs the seventh
  }
}

}  // namespace
}  // namespace synthoscope::multigpu
