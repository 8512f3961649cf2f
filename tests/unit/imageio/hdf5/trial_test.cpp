// SPDX-License-Identifier: MIT
#include "imageio/hdf5/trial.hpp"
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/hdf5/library.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/hang.hpp"

namespace synthoscope::imageio {
namespace {

TEST(Hdf5Trial, GivesWhatTheBodyGives) {
  EXPECT_EQ(after_trial("image.h5", [] { return 7; }), 7);
}

TEST(Hdf5Trial, LeavesFailuresToTheProcessThatAsks) {
  EXPECT_THROW(after_trial("image.h5", []() -> int { throw IoError("the disk is gone"); }),
               IoError);
}

TEST(Hdf5Trial, MayUseTheLibraryThatItsCallerHasLocked) {
  const Hdf5Lock lock;
  EXPECT_NO_THROW(try_hdf5("image.h5", [] { const Hdf5Lock again; }));
}

TEST(Hdf5Trial, ReadsInACopyOfWhichNothingElseIsSeen) {
  std::vector<std::byte> read(5000, std::byte{1});
  int calls = 0;
  read_in_trial("image.h5", read, [&calls](std::span<std::byte> to) {
    ++calls;
    std::ranges::fill(to.first(4999), std::byte{7});
  });
  std::vector<std::byte> expected(4999, std::byte{7});
  expected.push_back(std::byte{0});
  EXPECT_EQ(read, expected);
  EXPECT_EQ(calls, 0);
}

TEST(Hdf5Trial, ThrowsWhatReadingThrowsAndReadsNothingItself) {
  std::vector<std::byte> read(8);
  int calls = 0;
  const auto reading = [&](const auto& failure) {
    read_in_trial("image.h5", read, [&](auto) {
      ++calls;
      throw failure;
    });
  };
  test::expect_failure<IoError>([&] { reading(IoError("the disk is gone")); },
                                {"the disk is gone"});
  test::expect_failure<InvalidInput>([&] { reading(InvalidInput("the chunk is broken")); },
                                     {"the chunk is broken"});
  EXPECT_THROW(reading(std::bad_alloc{}), std::bad_alloc);
  EXPECT_EQ(calls, 0);
}

/// As a program has it whose parent, or whose Python, does not care for the ends of children.
class IgnoringChildren : public testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGCHLD, SIG_IGN); }
  void TearDown() override { std::signal(SIGCHLD, before_); }

 private:
  void (*before_)(int) = SIG_DFL;
};

TEST_F(IgnoringChildren, ATrialIsOneAllTheSame) {
  EXPECT_EQ(after_trial("image.h5", [] { return 7; }), 7);
  std::vector<std::byte> read(8);
  read_in_trial("image.h5", read,
                [](std::span<std::byte> to) { std::ranges::fill(to, std::byte{7}); });
  EXPECT_EQ(read, std::vector<std::byte>(8, std::byte{7}));
  test::expect_failure<InvalidInput>([] { try_hdf5("image.h5", [] { std::raise(SIGSEGV); }); },
                                     {"open image.h5", "crashes on, or does not finish with, it"});
}

TEST(Hdf5Trial, SaysThatSomebodyEndedIt) {
  test::expect_failure<IoError>([] { try_hdf5("image.h5", [] { std::raise(SIGUSR2); }); },
                                {"open image.h5", "was ended by signal 12", "open it again"});
}

TEST(Hdf5Trial, LeavesSignalsThatAskToStopToTheProcessThatWaits) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
    EXPECT_NO_THROW(try_hdf5("image.h5", [signal] { std::raise(signal); })) << signal;
}

TEST(Hdf5Trial, IsRefusedWhereNoProcessCanBeMade) {
  constexpr int kCannotBe = 2;
  const pid_t somebody = ::fork();
  if (somebody == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(kCannotBe);  // root may make any number
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    const pid_t one = ::fork();
    if (one >= 0) ::_exit(one == 0 ? 0 : kCannotBe);
    try {
      try_hdf5("image.h5", [] {});
    } catch (const IoError& error) {
      const std::string_view said = error.what();
      ::_exit(said.find("cannot be started") == said.npos ? 3 : 0);
    }
    ::_exit(4);
  }
  int status = -1;
  ::waitpid(somebody, &status, 0);
  if (WEXITSTATUS(status) == kCannotBe) GTEST_SKIP() << "processes are not limited here";
  EXPECT_EQ(status, 0);
}

TEST(Hdf5Trial, EndsWithTheProcessThatWaitsForIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t middle = ::fork();
  if (middle == 0) {
    ::close(ends[0]);
    const pid_t self = ::getpid();
    try_hdf5("image.h5", [self] {  // the copy holds the pipe, too
      ::kill(self, SIGKILL);
      for (volatile bool goes_on = true; goes_on;) continue;
    });
  }
  ::close(ends[1]);
  ::waitpid(middle, nullptr, 0);
  pollfd closed{ends[0], 0, 0};
  const std::chrono::milliseconds hang = test::kHang;
  EXPECT_EQ(::poll(&closed, 1, static_cast<int>(hang.count())), 1) << "the copy lives on";
  ::close(ends[0]);
}

TEST(Hdf5Trial, RefusesAFileOnWhichTheLibraryCrashes) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE})
    test::expect_failure<InvalidInput>(
        [&] { try_hdf5("image.h5", [signal] { std::raise(signal); }); },
        {"open image.h5", "crashes on it", "copy or create it again"});
}

TEST(Hdf5Trial, RefusesAFileWithWhichTheLibraryComesToNoEnd) {
  const auto turn_for_ever = [] {
    rlimit time{};
    ::getrlimit(RLIMIT_CPU, &time);
    if (time.rlim_cur != 10 || time.rlim_max != 11) return;
    time.rlim_cur = 1;  // so that the test takes one second
    ::setrlimit(RLIMIT_CPU, &time);
    for (volatile bool goes_on = true; goes_on;) continue;
  };
  test::expect_failure<InvalidInput>([&] { try_hdf5("image.h5", turn_for_ever); },
                                     {"open image.h5", "does not finish with it"});
}

}  // namespace
}  // namespace synthoscope::imageio
