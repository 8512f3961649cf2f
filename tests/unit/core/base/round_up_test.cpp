// SPDX-License-Identifier: MIT
#include "core/base/round_up.hpp"
#include <gtest/gtest.h>
#include <cstdint>
#include <limits>

namespace synthoscope {
namespace {

TEST(RoundUp, GivesTheNextMultiple) {
  struct Case {
    std::int64_t n, multiple, next;
  };
  for (const Case& c : {Case{0, 16, 0}, Case{1, 16, 16}, Case{15, 16, 16}, Case{16, 16, 16},
                        Case{17, 16, 32}, Case{7, 1, 7}, Case{5, 3, 6}, Case{1, 100, 100},
                        Case{std::int64_t{1} << 40, 3, (std::int64_t{1} << 40) + 2}})
    EXPECT_EQ(round_up(c.n, c.multiple), c.next) << c.n << " to " << c.multiple;
  constexpr auto kLargest = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(round_up(kLargest - 4096, std::size_t{4096}), kLargest - 4095);
}

}  // namespace
}  // namespace synthoscope
