// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <cstdint>
#include "core/base/error.hpp"
#include "core/cuda/memory/arena.hpp"

namespace synthoscope::cuda {
namespace {

TEST(ArenaLayout, PutsPiecesSideBySideAtMultiplesOf256Bytes) {
  ArenaLayout layout;
  EXPECT_EQ(layout.bytes(), 0);
  EXPECT_EQ(layout.add(1, "a"), 0);
  EXPECT_EQ(layout.bytes(), 256);
  EXPECT_EQ(layout.add(512, "b"), 256);
  EXPECT_EQ(layout.add(0, "nothing"), 768);
  EXPECT_EQ(layout.add(257, "c"), 768);
  EXPECT_EQ(layout.bytes(), 768 + 512);
  ASSERT_EQ(layout.pieces().size(), 4u);
  EXPECT_EQ(layout.pieces()[3].name, "c");
  EXPECT_EQ(layout.pieces()[3].offset_bytes, 768);
  EXPECT_EQ(layout.pieces()[3].bytes, 257);
}

TEST(ArenaLayout, RefusesWhatCannotBeCounted) {
  ArenaLayout layout;
  EXPECT_EQ(layout.add(1000, "a"), 0);
  EXPECT_THROW(layout.add(-1, "less than nothing"), PlanError);
  EXPECT_THROW(layout.add(INT64_MAX, "everything"), PlanError);
  EXPECT_THROW(layout.add(INT64_MAX - 1100, "all but the alignment"), PlanError);
  EXPECT_EQ(layout.bytes(), 1024) << "what was refused takes no room";
}

}  // namespace
}  // namespace synthoscope::cuda
