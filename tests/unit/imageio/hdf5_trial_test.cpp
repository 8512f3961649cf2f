// SPDX-License-Identifier: MIT
#include "imageio/hdf5_trial.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <vector>
#include "core/error.hpp"
#include "imageio/hdf5_library.hpp"
#include "tests/support/expect_failure.hpp"

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

TEST(Hdf5Trial, SaysWhetherTheCopyCameToTheEnd) {
  EXPECT_TRUE(try_hdf5("image.h5", [] {}));
  EXPECT_FALSE(try_hdf5("image.h5", [] { throw IoError("the disk is gone"); }));
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

TEST(Hdf5Trial, ThrowsWhatReadingThrows) {
  std::vector<std::byte> read(8);
  EXPECT_THROW(read_in_trial("image.h5", read, [](auto) { throw IoError("the disk is gone"); }),
               IoError);
}

TEST(Hdf5Trial, RefusesAFileOnWhichTheLibraryCrashes) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE})
    test::expect_failure<InvalidInput>(
        [&] { try_hdf5("image.h5", [signal] { std::raise(signal); }); },
        {"open image.h5", "crashes on it", "copy or make it again"});
}

TEST(Hdf5Trial, RefusesAFileWithWhichTheLibraryComesToNoEnd) {
  set_hdf5_patience(std::chrono::seconds{1});
  const auto turn_for_ever = [] {
    for (volatile bool goes_on = true; goes_on;) continue;
  };
  test::expect_failure<InvalidInput>([&] { try_hdf5("image.h5", turn_for_ever); },
                                     {"open image.h5", "comes to no end with it"});
  set_hdf5_patience(std::chrono::seconds{10});
}

}  // namespace
}  // namespace synthoscope::imageio
