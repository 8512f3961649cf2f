// SPDX-License-Identifier: MIT
#include "tools/show/label_image.hpp"
#include <gtest/gtest.h>
#include <functional>
#include "tests/support/case_name.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::int64_t kSide = 64;

using ValueAt = std::function<int(int y, int x)>;

simulator::Slice slice_of(const ValueAt& value) {
  simulator::Slice slice{kSide, kSide, 1, 1, {}};
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) slice.values.push_back(static_cast<float>(value(y, x)));
  return slice;
}

/// Disks of a radius, twelve pixels apart, with a value each; 0 is between them.
ValueAt disks(int radius, const ValueAt& value) {
  return [=](int y, int x) {
    const int down = y % 12 - 6, right = x % 12 - 6;
    return down * down + right * right <= radius * radius ? value(y / 12, x / 12) : 0;
  };
}

int hash(int y, int x) {
  return (y * 7919 + x * 104729 + y * x * 31) % 97;
}

struct LabelCase {
  const char* name;
  ValueAt value;
  bool are_labels;
};
const LabelCase kLabelCases[] = {
    {"cells", disks(5, [](int y, int x) { return 1 + 6 * y + x; }), true},
    {"beads", disks(2, [](int y, int x) { return 1 + 6 * y + x; }), true},
    {"touching_cells", [](int y, int x) { return 1 + 6 * (y / 12) + x / 12; }, true},
    {"thin_lines", [](int y, int) { return y % 8 == 0 ? 1 + y / 8 : 0; }, true},
    {"one_mask", disks(5, [](int, int) { return 255; }), false},
    {"even", [](int, int) { return 7; }, false},
    {"noise", hash, false},
    {"noisy_cells",
     [](int y, int x) { return disks(5, [](int, int) { return 100; })(y, x) + hash(y, x); }, false},
    {"smooth_beads_on_black",
     [](int y, int x) {
       return std::max(0, 40 - (y % 12 - 6) * (y % 12 - 6) * 2 - (x % 12 - 6) * (x % 12 - 6) * 3);
     },
     false},
    {"few_photons", [](int y, int x) { return hash(y, x) < 3 ? 1 + hash(x, y) % 2 : 0; }, false},
};

class LabelImage : public testing::TestWithParam<LabelCase> {};

TEST_P(LabelImage, IsToldFromLight) {
  auto slice = slice_of(GetParam().value);
  EXPECT_EQ(are_labels(slice), GetParam().are_labels);
  slice.values.back() += 0.5F;
  EXPECT_FALSE(are_labels(slice)) << "numbers of objects are whole";
}

INSTANTIATE_TEST_SUITE_P(Slices, LabelImage, testing::ValuesIn(kLabelCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::tools
