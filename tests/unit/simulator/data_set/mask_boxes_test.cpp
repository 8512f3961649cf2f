// SPDX-License-Identifier: MIT
#include "simulator/data_set/mask_boxes.hpp"
#include <gtest/gtest.h>

namespace synthoscope::simulator {
namespace {

using Counts = std::vector<std::int64_t>;

/// Two objects that touch; 2 surrounds a pixel of 0 and reaches the lower and right edges.
constexpr std::uint16_t kMasks[] = {
    1, 1, 0, 0,  //
    1, 2, 2, 2,  //
    0, 2, 0, 2,
};
constexpr HostView3<const std::uint16_t> kPlane{kMasks, {1, 3, 4}};

Counts counts_of(std::uint16_t label) {
  Counts counts;
  for_each_coco_count(kPlane, label, mask_boxes(kPlane)[label],
                      [&](std::int64_t count) { counts.push_back(count); });
  return counts;
}

TEST(MaskBoxes, ContainAllPixelsOfALabel) {
  const auto boxes = mask_boxes(kPlane);
  const MaskBox &first = boxes[1], &second = boxes[2];
  EXPECT_EQ(first.pixels, 3);
  EXPECT_EQ((Counts{first.first_y, first.last_y, first.first_x, first.last_x}),
            (Counts{0, 1, 0, 1}));
  EXPECT_EQ(second.pixels, 5);
  EXPECT_EQ((Counts{second.first_y, second.last_y, second.first_x, second.last_x}),
            (Counts{1, 2, 1, 3}));
  EXPECT_EQ(second.height(), 2);
  EXPECT_EQ(second.width(), 3);
  EXPECT_EQ(boxes[3].pixels, 0);
}

// Columns from left to right: 110 122 020 022 for this plane, with 0, 1 and 2 for labels
TEST(CocoCounts, GoDownTheColumnsAndBeginOutside) {
  EXPECT_EQ(counts_of(1), (Counts{0, 2, 1, 1, 8}));
  EXPECT_EQ(counts_of(2), (Counts{4, 2, 1, 1, 2, 2}));
}

TEST(CocoCounts, JoinARunThatContinuesInTheNextColumn) {
  constexpr std::uint16_t all[] = {7, 7, 7, 7};
  const HostView3<const std::uint16_t> plane{all, {1, 2, 2}};
  Counts counts;
  for_each_coco_count(plane, 7, mask_boxes(plane)[7],
                      [&](std::int64_t count) { counts.push_back(count); });
  EXPECT_EQ(counts, (Counts{0, 4}));
}

}  // namespace
}  // namespace synthoscope::simulator
