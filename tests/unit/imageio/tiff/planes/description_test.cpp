// SPDX-License-Identifier: MIT
#include "imageio/tiff/planes/description.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "imageio/input/key_lines.hpp"
#include "imageio/input/length_unit.hpp"

namespace synthoscope::imageio {
namespace {

TEST(TiffRational, IsExactForWhatPeopleType) {
  EXPECT_EQ(rational_of(10), (TiffRational{10, 1}));
  EXPECT_EQ(rational_of(0.25), (TiffRational{1, 4}));
  EXPECT_EQ(rational_of(1 / 0.065), (TiffRational{200, 13}));
  EXPECT_EQ(rational_of(10'000 / 0.1), (TiffRational{100'000, 1}));
}

TEST(TiffRational, IsCloseOverItsWholeRange) {
  for (double value = 0x1p-31; value <= 0x1p31; value *= 1.2345678) {
    const auto [n, d] = rational_of(value);
    // The coarsest fractions are those of the smallest values: 1 / d with d of 31 bits
    EXPECT_NEAR(static_cast<double>(n) / d, value, 1e-9 * value) << value;
  }
}

TEST(ImagejDescription, HasOneLengthForEveryRange) {
  ImageSpec spec;
  spec.extent = {3, 4, 5};
  spec.flavor = TiffFlavor::imagej;
  const auto length = describe(spec, "a.tif", {}).size();
  for (const double v : {1.0, -1.0, 65535.0, 3.4e38, -3.4e38, 1e-38, 1e-45})
    EXPECT_EQ(describe(spec, "a.tif", {v, v}).size(), length) << v;
}

TEST(LengthUnit, IsKnownInEverySpelling) {
  const std::pair<const char*, double> units[] = {
      {"um", 1},       {"\\u00B5m", 1}, {"\xC2\xB5m", 1},   {"\xCE\xBCm", 1}, {"\xB5m", 1},
      {"micron", 1},   {"nm", 1e-3},    {"mm", 1e3},        {"cm", 1e4},      {"m", 1e6},
      {"inch", 25400}, {"pm", 1e-6},    {"\xC3\x85", 1e-4},
  };
  for (const auto& [name, um] : units) EXPECT_EQ(micrometres_per(name), um) << name;
  for (const auto* name : {"", "pixel", "pixels", "reference frame", "UM", "umm"})
    EXPECT_FALSE(micrometres_per(name)) << name;
}

TEST(KeyLines, TakeNumbersOnlyWhereTheyAreWhole) {
  const KeyLines lines{"a=3\r\nb = 4 \nno equals\nc=0\nd=-1\ne=1e3\nf=nan\ng=7x\na=9\nlast=2"};
  EXPECT_EQ(lines.count("a"), 3);
  EXPECT_EQ(lines.count("b"), 4);
  EXPECT_EQ(lines.count("last"), 2);
  for (const auto* key : {"c", "d", "e", "f", "g", "missing"})
    EXPECT_FALSE(lines.count(key)) << key;
  EXPECT_EQ(lines.positive("e"), 1000);
  for (const auto* key : {"c", "d", "f", "g", "missing"}) EXPECT_FALSE(lines.positive(key)) << key;
}

TEST(KeyLines, TakeAnIndexOnlyWhereItIsWhole) {
  EXPECT_EQ(parse_index("30,71,64"), (Index3{30, 71, 64}));
  EXPECT_EQ(parse_index(print_index({-1, 0, 5})), (Index3{-1, 0, 5}));
  for (const auto* text : {"", "1,2", "1,2,3,4", "1,2,x", "1.5,2,3"})
    EXPECT_FALSE(parse_index(text)) << text;
}

}  // namespace
}  // namespace synthoscope::imageio
