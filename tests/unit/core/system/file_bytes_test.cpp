// SPDX-License-Identifier: MIT
// Space of a file is taken although signals end calls, as fallocate(2) allows.
#include "core/system/file_bytes.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <functional>
#include "core/volume/interval.hpp"

namespace {

/// What the next calls of fallocate do instead; empty: the system's call.
std::function<int(off_t from, off_t size)> instead;

}  // namespace

// This program's fallocate comes before the C library's
extern "C" int fallocate(int file, int mode, off_t from, off_t size) {
  if (!instead) return static_cast<int>(::syscall(SYS_fallocate, file, mode, from, size));
  errno = instead(from, size);
  return errno == 0 ? 0 : -1;
}

namespace synthoscope {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kBegin = 4 * kMiB, kCount = 100 * kMiB;

/// The result of allocate_bytes while `call` stands for the system's.
int result_with(std::function<int(off_t, off_t)> call) {
  instead = std::move(call);
  const int result = allocate_bytes(-1, kBegin, kCount);
  instead = {};
  return result;
}

TEST(AllocateBytes, IsNotEndedBySignals) {
  IntervalSet taken;
  int calls = 0;
  const int result = result_with([&](off_t from, off_t size) {
    // As if a signal came in each call of more than 3 MiB, and in every third of the others
    if (++calls % 3 == 0 || size > 3 * kMiB) return EINTR;
    taken.add({from, size});
    return 0;
  });
  EXPECT_EQ(result, 0);
  EXPECT_EQ(taken, IntervalSet(Interval{kBegin, kCount}));
}

TEST(AllocateBytes, TellsWhyItFailed) {
  EXPECT_EQ(result_with([](off_t, off_t) { return ENOSPC; }), ENOSPC);
  EXPECT_EQ(allocate_bytes(-1, 0, 10), EBADF);
}

}  // namespace
}  // namespace synthoscope
