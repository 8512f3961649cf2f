// SPDX-License-Identifier: MIT
#include "core/run/task_pool.hpp"
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>
#include "core/base/error.hpp"

namespace synthoscope {
namespace {

class TaskPoolOf : public testing::TestWithParam<int> {
  // As many real threads as are asked for, even on a machine with fewer cores
  tbb::global_control crowd_{tbb::global_control::max_allowed_parallelism, 8};
};

TEST_P(TaskPoolOf, DoesEveryItemOnceAndWaits) {
  TaskPool pool{GetParam()};
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::int64_t count : {0, 1, 2, 1000}) {
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
    pool.for_each(count, [&](std::int64_t i) { ++done[static_cast<std::size_t>(i)]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST_P(TaskPoolOf, CutsRangesAtMultiplesOfTheGrain) {
  TaskPool pool{GetParam()};
  using Ranges = std::set<std::pair<std::int64_t, std::int64_t>>;
  const auto ranges = [&](std::int64_t count, std::int64_t grain) {
    std::mutex mutex;
    Ranges seen;
    pool.for_ranges(count, grain, [&](std::int64_t begin, std::int64_t end) {
      const std::scoped_lock lock{mutex};
      EXPECT_TRUE(seen.emplace(begin, end).second);
    });
    return seen;
  };
  EXPECT_EQ(ranges(10, 4), (Ranges{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(ranges(8, 4), (Ranges{{0, 4}, {4, 8}}));
  EXPECT_EQ(ranges(3, 100), (Ranges{{0, 3}}));
  EXPECT_EQ(ranges(0, 5), Ranges{});
}

TEST_P(TaskPoolOf, NumbersTheThreadsAndGivesNoNumberToTwoAtOnce) {
  TaskPool pool{GetParam()};
  std::vector<std::atomic<int>> at_work(static_cast<std::size_t>(GetParam()));
  pool.for_each(2000, [&](std::int64_t) {
    const int slot = TaskPool::slot();
    ASSERT_GE(slot, 0);
    ASSERT_LT(slot, GetParam());
    EXPECT_EQ(at_work[static_cast<std::size_t>(slot)]++, 0);
    --at_work[static_cast<std::size_t>(slot)];
  });
}

TEST_P(TaskPoolOf, ServesTwoThreadsAtOnceAndStillGivesNoNumberToTwo) {
  TaskPool pool{GetParam()};
  std::vector<std::atomic<int>> at_work(static_cast<std::size_t>(GetParam()));
  std::atomic<int> done{0};
  const auto loops = [&] {
    for (int loop = 0; loop < 50; ++loop)
      pool.for_each(40, [&](std::int64_t) {
        const int slot = TaskPool::slot();
        ASSERT_GE(slot, 0);
        ASSERT_LT(slot, GetParam());
        EXPECT_EQ(at_work[static_cast<std::size_t>(slot)]++, 0);
        std::this_thread::yield();
        --at_work[static_cast<std::size_t>(slot)];
        ++done;
      });
  };
  std::thread other{loops};
  loops();
  other.join();
  EXPECT_EQ(done, 2 * 50 * 40);
}

TEST_P(TaskPoolOf, RethrowsWhatABodyThrowsAndStillWorksAfterwards) {
  TaskPool pool{GetParam()};
  EXPECT_THROW(pool.for_each(100000,
                             [&](std::int64_t i) {
                               if (i == 3) throw IoError("the disk is gone");
                             }),
               IoError);
  std::atomic<int> again{0};
  pool.for_each(100, [&](std::int64_t) { ++again; });
  EXPECT_EQ(again, 100);
}

INSTANTIATE_TEST_SUITE_P(Threads, TaskPoolOf, testing::Values(1, 2, 3, 7));

TEST(TaskPool, NeedsAThread) {
  for (const int threads : {0, -2, 100000}) try {
      TaskPool pool{threads};
      FAIL() << threads;
    } catch (const InvalidSpec& failure) {
      EXPECT_EQ(std::string{failure.what()}, "start threads: " + std::to_string(threads) +
                                                 " were requested; give 1 to 256 with --threads");
    }
}

TEST(AvailableThreads, AreAtLeastOne) {
  EXPECT_GE(available_threads(), 1);
}

}  // namespace
}  // namespace synthoscope
