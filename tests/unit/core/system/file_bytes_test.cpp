// SPDX-License-Identifier: MIT
// Space of a file is taken whatever signals come.
#include "core/system/file_bytes.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <filesystem>

namespace synthoscope {
namespace {

extern "C" void pass_over(int) {}

/// Sends SIGALRM every two milliseconds, and ends calls that it meets.
class Alarms {
 public:
  Alarms() {
    struct sigaction action {};
    action.sa_handler = pass_over;  // without SA_RESTART
    ::sigaction(SIGALRM, &action, &before_);
    set(2000);
  }
  ~Alarms() {
    set(0);
    ::sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  static void set(long microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction before_ {};
};

TEST(AllocateBytes, IsNotEndedByASignal) {
  // In memory, where taking space takes its time
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "no file system in memory";
  const int file = ::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) GTEST_SKIP() << "no nameless file in /dev/shm";
  constexpr std::int64_t kBytes = std::int64_t{192} << 20;
  int failure = 0;
  {
    const Alarms alarms;
    failure = allocate_bytes(file, 0, kBytes);
  }
  struct stat status {};
  EXPECT_EQ(::fstat(file, &status), 0);
  ::close(file);
  if (failure == ENOSPC) GTEST_SKIP() << "/dev/shm is full";
  EXPECT_EQ(failure, 0);
  EXPECT_GE(status.st_blocks * 512, kBytes);
}

TEST(AllocateBytes, TellsWhyItFailed) {
  EXPECT_EQ(allocate_bytes(-1, 0, 10), EBADF);
}

}  // namespace
}  // namespace synthoscope
