// SPDX-License-Identifier: MIT
#include "studio/files/given_images.hpp"
#include <gtest/gtest.h>
#include <vector>

namespace synthoscope::studio {
namespace {

TEST(GivenImages, ShowTheMiddleOfStacksThatAreLarge) {
  struct Row {
    Extent3 extent;
    PixelType type;
    Box3 shown;
  };
  for (const auto& [extent, type, shown] : std::vector<Row>{
           {{40, 200, 100}, PixelType::uint16, {{0, 0, 0}, {40, 200, 100}}},
           {{1, 1024, 1024}, PixelType::float64, {{0, 0, 0}, {1, 1024, 1024}}},
           {{1, 1025, 1027}, PixelType::uint8, {{0, 0, 1}, {1, 1024, 1024}}},
           {{64, 1024, 1024}, PixelType::uint16, {{0, 0, 0}, {64, 1024, 1024}}},
           {{67, 2048, 1024}, PixelType::uint16, {{1, 512, 0}, {64, 1024, 1024}}},
           {{100, 4096, 4096}, PixelType::float64, {{42, 1536, 1536}, {16, 1024, 1024}}},
           {{1 << 20, 1, 1}, PixelType::float32, {{0, 0, 0}, {1 << 20, 1, 1}}},
       }) {
    const Box3 part = shown_part(extent, type);
    EXPECT_EQ(part, shown) << extent.z << ' ' << extent.y << ' ' << extent.x;
    EXPECT_LE(volume(part.size) * size_of(type), kMostShownBytes);
  }
}

}  // namespace
}  // namespace synthoscope::studio
