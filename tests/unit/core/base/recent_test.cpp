// SPDX-License-Identifier: MIT
#include "core/base/recent.hpp"
#include <gtest/gtest.h>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include "core/run/task_pool.hpp"

namespace synthoscope {
namespace {

TEST(Recent, ForgetsTheValueThatWasAskedForLeastRecently) {
  Recent<int, std::string> recent{2};
  int asked = 0;
  const auto make = [&] { return std::to_string(++asked); };
  EXPECT_EQ(recent.get(7, make), "1");
  EXPECT_EQ(recent.get(8, make), "2");
  EXPECT_EQ(recent.get(7, make), "1");
  EXPECT_EQ(recent.get(9, make), "3");  // in place of 8
  EXPECT_EQ(recent.get(7, make), "1");
  EXPECT_EQ(recent.get(8, make), "4");
}

TEST(Recent, KeepsNothingOfWhatFailed) {
  Recent<int, int> recent{2};
  EXPECT_THROW(recent.get(1, []() -> int { throw std::runtime_error{"no"}; }), std::runtime_error);
  EXPECT_EQ(recent.get(1, [] { return 5; }), 5);
}

TEST(Recent, GivesSeveralThreadsTheRightValues) {
  Recent<std::int64_t, std::int64_t> recent{3};
  TaskPool pool{4};
  std::atomic<int> wrong{0};
  pool.for_each(2000, [&](std::int64_t i) {
    if (recent.get(i % 5, [&] { return i % 5; }) != i % 5) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace synthoscope
