// SPDX-License-Identifier: MIT
#include "fit/images/grown_labels.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <vector>

namespace synthoscope::fit {
namespace {

using Rows = std::vector<std::string>;

/// A plane of pixels of 0.5 um whose labels are digits.
LabelledImage image_of(const Rows& rows) {
  LabelledImage image;
  image.grid = {{1, std::ssize(rows), std::ssize(rows.front())}, {1, 0.5, 0.5}};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  auto to = image.labels.voxels.begin();
  for (const std::string& row : rows)
    for (const char digit : row) *to++ = static_cast<std::uint32_t>(digit - '0');
  return image;
}

Rows rows_of(const LabelledImage& image) {
  Rows rows;
  for (std::int64_t y = 0; y < image.grid.extent.y; ++y) {
    const std::uint32_t* const row = image.labels.view().row(0, y);
    rows.emplace_back();
    for (std::int64_t x = 0; x < image.grid.extent.x; ++x)
      rows.back().push_back(static_cast<char>('0' + row[x]));
  }
  return rows;
}

struct Grown {
  const char* name;
  double um;
  Rows before, after;
};

class GrownLabels : public testing::TestWithParam<Grown> {};

TEST_P(GrownLabels, AreMovedByPixels) {
  LabelledImage image = image_of(GetParam().before);
  grow_labels(image, GetParam().um);
  EXPECT_EQ(rows_of(image), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Borders, GrownLabels,
    testing::Values(
        Grown{"NotAtAll", 0.2, {"00000", "00100", "00000"}, {"00000", "00100", "00000"}},
        Grown{"OnePixelWithoutCorners",
              0.3,
              {"00000", "00100", "00000"},
              {"00100", "01110", "00100"}},
        Grown{"CornersToo", 0.5, {"00000", "00100", "00000"}, {"01110", "01110", "01110"}},
        Grown{"UpToAnotherObject", 0.5, {"1020", "1020"}, {"1122", "1122"}},
        Grown{"InwardsFromTheBackgroundOnly",
              -0.3,
              {"0111", "0111", "0222"},
              {"0011", "0011", "0022"}},
        Grown{"UntilItIsGone", -0.3, {"000", "010", "000"}, {"000", "000", "000"}}),
    [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
}  // namespace synthoscope::fit
