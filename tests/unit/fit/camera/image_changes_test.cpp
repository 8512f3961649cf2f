// SPDX-License-Identifier: MIT
#include "fit/camera/image_changes.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include "tests/support/test_context.hpp"
#include "tests/unit/fit/camera/noisy_image.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kSide = 192;
constexpr double kWhole = 1.0 / 12;

LabelledImage recorded(const test::KnownCamera& camera = {}) {
  return test::noisy_image({1, kSide, kSide}, test::ramp(20, 600, kSide), camera);
}

using PixelChange = std::function<float(HostView3<const float>, std::int64_t y, std::int64_t x)>;

LabelledImage changed(const LabelledImage& image, const PixelChange& change) {
  LabelledImage result;
  result.name = image.name;
  result.grid = image.grid;
  result.counts = Volume<float>{image.grid.extent};
  for (std::int64_t y = 0; y < kSide; ++y)
    for (std::int64_t x = 0; x < kSide; ++x)
      result.counts.view()(0, y, x) = change(image.counts.view(), y, x);
  return result;
}

std::string change_in(const LabelledImage& image) {
  const auto levels = grey_levels(image.counts.view());
  if (const auto change = change_of_pixels(image, levels, false)) return *change;
  synthoscope::test::TestContext run;
  const auto tiles = noise_tiles(image.counts.view(), levels.limits(), 1, run.context);
  return change_of_noise(tiles, noise_band(tiles, 0.5, true), levels.rounding()).value_or("");
}

std::int64_t inside(std::int64_t at) {
  return std::clamp<std::int64_t>(at, 0, kSide - 1);
}

struct ChangeCase {
  const char* says;
  PixelChange change;
};

const ChangeCase kChanges[] = {
    {"not whole numbers", [](auto v, auto y, auto x) { return v(0, y, x) / 3; }},
    {"contrast", [](auto v, auto y, auto x) { return std::floor(1.4F * v(0, y, x)); }},
    {"contrast", [](auto v, auto y, auto x) { return std::floor(0.7F * v(0, y, x)); }},
    {"eighth pixel",
     [](auto v, auto y, auto x) {  // only the mean of a block is kept
       float sum = 0;
       for (std::int64_t j = 0; j < 8; ++j)
         for (std::int64_t i = 0; i < 8; ++i) sum += v(0, y / 8 * 8 + j, x / 8 * 8 + i);
       return std::floor(sum / 64 + (v(0, y, x) - sum / 64) / 4);
     }},
    {"equal",
     [](auto v, auto y, auto x) {
       std::array<float, 9> near{};
       for (std::int64_t i = 0; i < 9; ++i)
         near[static_cast<std::size_t>(i)] = v(0, inside(y + i / 3 - 1), inside(x + i % 3 - 1));
       std::nth_element(near.begin(), near.begin() + 4, near.end());
       return near[4];
     }},
    {"clipped", [](auto v, auto y, auto x) { return std::max(v(0, y, x) - 250, 0.0F); }},
    {"saturated", [](auto v, auto y, auto x) { return std::min(v(0, y, x), 1023.0F); }},
    {"filtered or interpolated",
     [](auto v, auto y, auto x) {
       return std::round((2 * v(0, y, x) + v(0, y, inside(x + 1)) + v(0, inside(y + 1), x)) / 4);
     }},
    {"sharpened",
     [](auto v, auto y, auto x) {
       float sum = 0;
       for (std::int64_t i = 0; i < 9; ++i)
         sum += v(0, inside(y + i / 3 - 1), inside(x + i % 3 - 1));
       return std::round(2 * v(0, y, x) - sum / 9);
     }},
    {"rounding",
     [](auto v, auto y, auto x) {
       (void)v;
       return std::round(100 + 0.93F * static_cast<float>(x) + 0.37F * static_cast<float>(y));
     }},
};

TEST(ImageChanges, EachIsNamed) {
  const LabelledImage image = recorded();
  for (const ChangeCase& one : kChanges)
    EXPECT_NE(change_in(changed(image, one.change)).find(one.says), std::string::npos)
        << one.says << ": " << change_in(changed(image, one.change));
}

TEST(ImageChanges, NoneInWhatCamerasRecord) {
  for (const double gain : {0.3, 1.0, 2.0, 9.35})
    for (const double read_noise : {0.3, 1.5, 7.0})
      EXPECT_EQ(change_in(recorded({.gain = gain, .read_noise = read_noise})), "")
          << gain << " " << read_noise;
}

TEST(ImageChanges, SharesOfClippedVoxelsAreTold) {
  const LabelledImage image = recorded();
  const auto change = kChanges[5].change;
  EXPECT_NE(change_in(changed(image, change)).find("% of the voxels"), std::string::npos);
}

TEST(ImageChanges, ZerosOfAPhotonCounterAreNoClipping) {
  const LabelledImage image = test::noisy_image({1, kSide, kSide}, test::ramp(0.1, 1.5, kSide),
                                                {.gain = 1, .offset = 0, .read_noise = 0});
  const auto levels = grey_levels(image.counts.view());
  EXPECT_TRUE(levels.is_cut_below);
  EXPECT_TRUE(counts_photons(image.counts.view(), levels.step));
  EXPECT_TRUE(change_of_pixels(image, levels, false).has_value());
  EXPECT_FALSE(change_of_pixels(image, levels, true).has_value());
}

TEST(GreyLevels, ClippedReadNoiseIsNoPhotonCounter) {
  const LabelledImage image = test::noisy_image({1, kSide, kSide}, test::ramp(0, 5, kSide),
                                                {.gain = 1, .offset = 0, .read_noise = 1.5});
  EXPECT_FALSE(counts_photons(image.counts.view(), 1));
}

TEST(GreyLevels, StepOfShiftedBitsIsFound) {
  const auto levels = grey_levels(
      changed(recorded(), [](auto v, auto y, auto x) { return 16 * v(0, y, x); }).counts.view());
  EXPECT_EQ(levels.step, 16);
  EXPECT_EQ(levels.rounding(), 256 * kWhole);
  EXPECT_EQ(levels.missing, 0);
}

TEST(GreyLevels, BitsFollowFromTheSaturation) {
  const auto levels = grey_levels(recorded({.highest = 1023}).counts.view());
  EXPECT_TRUE(levels.is_saturated);
  EXPECT_TRUE(levels.is_full_of_bits());
  EXPECT_EQ(levels.bits(), 10);
  EXPECT_FALSE(grey_levels(recorded({.highest = 1000}).counts.view()).is_full_of_bits());
  EXPECT_FALSE(grey_levels(recorded().counts.view()).is_saturated);
}

}  // namespace
}  // namespace synthoscope::fit
