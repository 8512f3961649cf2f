// SPDX-License-Identifier: MIT
#include "imageio/hdf5_trial.hpp"
#include <gtest/gtest.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
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
