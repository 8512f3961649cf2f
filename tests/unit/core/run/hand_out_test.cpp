// SPDX-License-Identifier: MIT
#include "core/run/hand_out.hpp"
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

namespace synthoscope {
namespace {

TEST(HandOut, HasEveryItemDoneOnce) {
  for (const std::size_t workers : {1u, 2u, 5u})
    for (const std::int64_t items : {0, 1, 3, 100}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(items));
      std::mutex mutex;
      std::set<std::size_t> seen;
      hand_out(items, workers, [&](std::size_t worker, std::int64_t item) {
        ++done[static_cast<std::size_t>(item)];
        const std::scoped_lock lock{mutex};
        seen.insert(worker);
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
      EXPECT_TRUE(seen.empty() || *seen.rbegin() < workers);
    }
}

/// Items that take long are done beside each other: none waits for one that was taken later.
TEST(HandOut, LetsWorkersWorkAtTheSameTime) {
  std::atomic<int> under_way{0};
  hand_out(3, 3, [&](std::size_t, std::int64_t) {
    ++under_way;
    while (under_way < 3) std::this_thread::yield();
  });
  EXPECT_EQ(under_way, 3);
}

TEST(HandOut, BeginsNothingMoreOnceOneFails) {
  for (const std::size_t workers : {1u, 3u}) {
    std::atomic<std::int64_t> begun{0};
    std::atomic<int> told{0};
    try {
      hand_out(
          1000, workers,
          [&](std::size_t, std::int64_t item) {
            ++begun;
            if (item == 4) throw std::runtime_error("item 4");
            while (item > 4 && told == 0) std::this_thread::yield();
          },
          [&] { ++told; });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& failure) {
      EXPECT_STREQ(failure.what(), "item 4");
    }
    EXPECT_EQ(told, 1);
    EXPECT_GE(begun, 5);
    EXPECT_LE(begun, 4 + static_cast<std::int64_t>(workers));
  }
}

}  // namespace
}  // namespace synthoscope
