// SPDX-License-Identifier: MIT
#include "multigpu/in_phases.hpp"
#include <gtest/gtest.h>
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include "core/base/error.hpp"

namespace synthoscope::multigpu {
namespace {

TEST(InPhases, NoMemberBeginsOneBeforeAllHaveEndedTheLast) {
  for (const std::size_t members : {1u, 2u, 5u}) {
    constexpr std::size_t kPhases = 20;
    std::array<std::atomic<std::size_t>, kPhases> ended{};
    std::vector<Phase> phases;
    for (std::size_t p = 0; p < kPhases; ++p)
      phases.emplace_back([&, p](std::size_t i) {
        if (p > 0) {
          EXPECT_EQ(ended[p - 1], members);
        }
        // Another one is late in every phase
        if (i == p % members) std::this_thread::sleep_for(std::chrono::milliseconds{1});
        ++ended[p];
      });
    StopFlag stop;
    run_in_phases(members, phases, stop);
    EXPECT_EQ(ended.back(), members);
    EXPECT_FALSE(stop.requested());
  }
}

TEST(InPhases, AFailureEndsAllAndIsTheOneThatIsThrown) {
  for (const std::size_t failing : {0u, 2u}) {
    StopFlag stop;
    std::atomic<int> later = 0;
    const Phase phases[] = {
        [&](std::size_t i) {
          if (i == failing) throw std::runtime_error("lost");
          // The others are in the middle of something long
          while (!stop.requested()) std::this_thread::yield();
          stop.check();
        },
        [&](std::size_t) { ++later; },
    };
    try {
      run_in_phases(3, phases, stop);
      FAIL() << "it went on";
    } catch (const std::runtime_error& failure) {
      EXPECT_STREQ(failure.what(), "lost");
    }
    EXPECT_EQ(later, 0);
  }
}

}  // namespace
}  // namespace synthoscope::multigpu
