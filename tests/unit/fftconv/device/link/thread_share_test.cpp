// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>
#include "fftconv/device/link/plane_pieces.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr int kThreads = 8;

int threads_given(ThreadShare& share, TaskPool& pool, std::int64_t most) {
  std::atomic<int> bodies = 0;
  share.for_each_thread(pool, most, [&](std::int64_t) { ++bodies; });
  return bodies;
}

TEST(ThreadShare, IsAllThreadsOfAPoolThatDoesNothingElse) {
  TaskPool pool{kThreads};
  ThreadShare share;
  EXPECT_EQ(threads_given(share, pool, 100), kThreads);
  EXPECT_EQ(threads_given(share, pool, 3), 3);
  EXPECT_EQ(threads_given(share, pool, 0), 0);
}

TEST(ThreadShare, IsHalfBesideAnotherLoopAndOnceAfterIt) {
  TaskPool pool{kThreads};
  ThreadShare share;
  std::latch began{1}, ends{1};
  std::thread other{[&] {
    pool.for_each(1, [&](std::int64_t) {
      began.count_down();
      ends.wait();
    });
  }};
  began.wait();
  EXPECT_EQ(threads_given(share, pool, 100), kThreads / 2);
  ends.count_down();
  other.join();
  EXPECT_EQ(threads_given(share, pool, 100), kThreads / 2) << "the other may only be pausing";
  EXPECT_EQ(threads_given(share, pool, 100), kThreads);
  EXPECT_EQ(pool.loops(), 0);
}

}  // namespace
}  // namespace synthoscope::fftconv::device
