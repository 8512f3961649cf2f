// SPDX-License-Identifier: MIT
#include "simulator/sweep/share.hpp"
#include <gtest/gtest.h>

namespace synthoscope::simulator {
namespace {

TEST(SweepShares, AreAsEqualAsWholeSetsCanBe) {
  const struct {
    std::vector<double> works;
    std::int64_t shards;
    std::vector<std::int64_t> owners;
  } kCases[] = {
      {{1, 1, 1, 1, 1}, 2, {1, 2, 1, 2, 1}},        // in turns
      {{1, 8, 1, 8, 1, 8}, 2, {2, 1, 2, 2, 2, 1}},  // not all large ones to one
      {{1, 2, 3, 6}, 2, {2, 2, 2, 1}},
      {{5, 5}, 4, {1, 2}},  // some have nothing to do
      {{3}, 1, {1}},
      {{}, 3, {}},
  };
  for (const auto& c : kCases) EXPECT_EQ(shared_out(c.works, c.shards), c.owners);
}

}  // namespace
}  // namespace synthoscope::simulator
