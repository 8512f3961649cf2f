// SPDX-License-Identifier: MIT
#include "core/base/memo.hpp"
#include <gtest/gtest.h>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>
#include "core/run/task_pool.hpp"

namespace synthoscope {
namespace {

TEST(Memo, FindsAValueOnce) {
  Memo<int, std::string> memo;
  int asked = 0;
  const auto find = [&] { return std::to_string(++asked); };
  EXPECT_FALSE(memo.known(7).has_value());
  EXPECT_EQ(memo.get(7, find), "1");
  EXPECT_EQ(memo.get(7, find), "1");
  EXPECT_EQ(memo.get(8, find), "2");
  EXPECT_EQ(memo.known(7), "1");
}

TEST(Memo, KeepsNothingOfWhatFailed) {
  Memo<int, int> memo;
  EXPECT_THROW(memo.get(1, []() -> int { throw std::runtime_error{"no"}; }), std::runtime_error);
  EXPECT_FALSE(memo.known(1).has_value());
  EXPECT_EQ(memo.get(1, [] { return 5; }), 5);
}

TEST(Memo, FindsValuesThatMayBeMissing) {
  Memo<int, std::optional<int>> memo;
  EXPECT_FALSE(memo.known(1).has_value());
  EXPECT_EQ(memo.get(1, [] { return std::optional{5}; }), 5);
  EXPECT_EQ(memo.get(2, [] { return std::optional<int>{}; }), std::nullopt);
  EXPECT_TRUE(memo.known(2).has_value());
}

TEST(Memo, GivesSeveralThreadsTheSameValue) {
  Memo<std::int64_t, std::int64_t> memo;
  TaskPool pool{4};
  std::atomic<std::int64_t> found{0};
  std::vector<std::int64_t> given(2000);
  pool.for_each(2000, [&](std::int64_t i) {
    given[static_cast<std::size_t>(i)] = memo.get(i % 10, [&] { return ++found; });
  });
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_EQ(given[i], given[i % 10]) << i;
}

}  // namespace
}  // namespace synthoscope
