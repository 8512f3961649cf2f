// SPDX-License-Identifier: MIT
#include "simulator/sweep/folder.hpp"
#include <gtest/gtest.h>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

TEST(SweepFolder, IsEnteredWhileAnotherProcessWritesItsRecord) {
  const test::TemporaryFolder temporary;
  constexpr int kRounds = 300;
  std::barrier start{2};
  const auto sweep = [&](int round) { return temporary / std::to_string(round); };
  for (int i = 0; i < kRounds; ++i) fs::create_directory(sweep(i));
  std::jthread writer{[&] {
    for (int i = 0; i < kRounds; ++i) {
      start.arrive_and_wait();
      const fs::path record = sweep(i) / kSweepRecord;
      std::ofstream{record.string() + ".partial"} << "{}";
      fs::rename(record.string() + ".partial", record);
      fs::create_directory(sweep(i) / "one-set.partial");
    }
  }};
  for (int i = 0; i < kRounds; ++i) {
    start.arrive_and_wait();
    for (int entry = 0; entry < 8; ++entry)
      EXPECT_NO_THROW(SweepFolder::shared(sweep(i))) << "round " << i;
  }
}

TEST(SweepFolder, IsRefusedWhenItHoldsWhatNoSweepMade) {
  const test::TemporaryFolder temporary;
  temporary.write("notes.txt", "mine");
  EXPECT_THROW(SweepFolder::shared(temporary.path()), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
