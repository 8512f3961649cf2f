// SPDX-License-Identifier: MIT
// The background of an image: its gradient, its smooth field and its grain.
#include "simulator/light/background.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kField{{3, 30, 40}, {0.5, 0.25, 0.25}};

BackgroundSpec everything() {
  return {.gradient = 0.4,
          .gradient_degrees = 30,
          .field_deviation = 0.3,
          .field_um = 4,
          .grain_deviation = 0.2,
          .grain_um = 0.1};
}

TEST(Background, IsEvenWithoutKeys) {
  for (const Background& even : {Background{7}, Background{7, {}, {0.3, 1}, kField, 5}}) {
    EXPECT_TRUE(even.is_even());
    EXPECT_EQ(even.at(2, 29, 39), 7);
    EXPECT_EQ(even.photons(), 7);
  }
  EXPECT_TRUE((Background{0, everything(), {0.3, 1}, kField, 5}.is_even())) << "no light, no field";
  EXPECT_EQ(Background::bytes({}, kField.extent), 0);
}

TEST(Background, ChangesLinearlyAlongItsGradient) {
  const auto of = [](double degrees) {
    return Background{10, {.gradient = 0.4, .gradient_degrees = degrees}, {}, kField, 5};
  };
  // Centres of the outermost of 40 columns are 39/40 of the width apart
  EXPECT_NEAR(of(0).at(0, 7, 39), 10 * (1 + 0.2 * 39 / 40), 1e-12);
  EXPECT_NEAR(of(0).at(2, 3, 0), 10 * (1 - 0.2 * 39 / 40), 1e-12);
  EXPECT_NEAR(of(90).at(1, 29, 11), 10 * (1 + 0.2 * 29 / 30), 1e-12);
  EXPECT_NEAR(of(180).at(1, 29, 0), 10 * (1 + 0.2 * 39 / 40), 1e-12);
  EXPECT_NEAR(of(-90).at(1, 0, 20), 10 * (1 + 0.2 * 29 / 30), 1e-12);
  // At 45 degrees the corners are the ends, and the middle has the mean
  EXPECT_NEAR(of(45).at(0, 29, 39) - 10, 10 - of(45).at(0, 0, 0), 1e-12);
  EXPECT_NEAR(of(45).at(0, 29, 39), 10 * (1 + 0.2 * (39 + 29) / (40 + 30)), 1e-12);
  const Background steep{10, {.gradient = 2}, {}, kField, 5};
  EXPECT_GE(steep.at(0, 0, 0), 0);
}

/// Mean, relative standard deviation, and correlation of the logarithm over a distance in voxels
/// along x, over many seeds.
struct Moments {
  double mean = 0, deviation = 0, correlation = 0;
};
Moments moments_of(const BackgroundSpec& spec, const LensGrain& lens, const Grid& grid,
                   std::int64_t voxels) {
  double n = 0, sum = 0, squares = 0, logs = 0, log_squares = 0, products = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Background background{1, spec, lens, grid, seed};
    for (std::int64_t y = 0; y < grid.extent.y; y += 3)
      for (std::int64_t x = 0; x + voxels < grid.extent.x; x += 3) {
        const double here = background.at(0, y, x), there = background.at(0, y, x + voxels);
        ++n;
        sum += here;
        squares += here * here;
        logs += std::log(here);
        log_squares += std::log(here) * std::log(here);
        products += std::log(here) * std::log(there);
      }
  }
  const double mean = sum / n, log_mean = logs / n;
  return {mean, std::sqrt(squares / n - mean * mean) / mean,
          (products / n - log_mean * log_mean) / (log_squares / n - log_mean * log_mean)};
}

TEST(Background, HasTheMeanTheDeviationAndTheLengthThatAreAskedFor) {
  const Grid wide{{1, 64, 96}, {1, 0.5, 0.5}};
  // A field of 2 um is 4 voxels; the correlation over its length is exp(-1/2)
  const Moments field = moments_of({.field_deviation = 0.3, .field_um = 2}, {}, wide, 4);
  EXPECT_NEAR(field.mean, 1, 0.02);
  EXPECT_NEAR(field.deviation, 0.3, 0.02);
  EXPECT_NEAR(field.correlation, std::exp(-0.5), 0.03);
  EXPECT_NEAR(moments_of({.field_deviation = 0.3, .field_um = 2}, {}, wide, 8).correlation,
              std::exp(-2.0), 0.04);
  // Grain of 1.2 um behind a lens of 1.6 um has a length of 2 um
  const Moments grain = moments_of({.grain_deviation = 0.5, .grain_um = 1.2}, {1.6, 5}, wide, 4);
  EXPECT_NEAR(grain.mean, 1, 0.03);
  EXPECT_NEAR(grain.deviation, 0.5, 0.04);
  EXPECT_NEAR(grain.correlation, std::exp(-0.5), 0.03);
}

TEST(Background, HasTheSameRowsInAnyBox) {
  const Grid long_rows{{2, 3, 700}, {0.5, 0.25, 0.25}};
  const Background background{5, everything(), {0.2, 0.8}, long_rows, 9};
  std::vector<double> all(700), part(300);
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 3; ++y) {
      background.row(z, y, 0, 700, all.data());
      background.row(z, y, 333, 300, part.data());
      for (std::size_t x = 0; x < 700; ++x)
        ASSERT_EQ(all[x], background.at(z, y, static_cast<std::int64_t>(x)));
      for (std::size_t x = 0; x < 300; ++x) ASSERT_EQ(part[x], all[x + 333]);
    }
  EXPECT_NE(background.at(0, 1, 1), background.at(1, 1, 1)) << "planes differ";
}

TEST(Background, IsTheSameThroughACopyOfItsTables) {
  const Background background{5, everything(), {0.2, 0.8}, kField, 9};
  const std::vector<double> copy = background.values();
  EXPECT_EQ(background.plain_of(copy.data()).at(2, 11, 13), background.at(2, 11, 13));
  EXPECT_EQ(static_cast<std::int64_t>(copy.capacity() * sizeof(double)),
            Background::bytes(everything(), kField.extent));
}

TEST(Background, IsAddedToLightBeforeTheIllumination) {
  const Illumination dim{{.falloff = 0.5, .flat_field = {}}, kField.extent, 2};
  const Background background{5, everything(), {0.2, 0.8}, kField, 9};
  ExpectedPhotons photons{background, dim};
  const Box3 box{{1, 4, 7}, {2, 5, 6}};
  Volume<float> blurred{box.size}, out{box.size};
  for (std::size_t i = 0; i < blurred.voxels.size(); ++i)
    blurred.voxels[i] = static_cast<float>(i) - 9;
  photons.apply(box, HostView3<const float>{blurred.view()}, out.view());
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 5; ++y)
      for (std::int64_t x = 0; x < 6; ++x) {
        const double light = std::max(static_cast<double>(blurred.view()(z, y, x)), 0.0);
        EXPECT_EQ(out.view()(z, y, x),
                  static_cast<float>((light + background.at(1 + z, 4 + y, 7 + x)) *
                                     dim.at(4 + y, 7 + x)));
      }
}

TEST(Background, DependsOnItsSeed) {
  const auto of = [](std::uint64_t seed) {
    return Background{5, everything(), {0.2, 0.8}, kField, seed}.at(1, 20, 20);
  };
  EXPECT_EQ(of(3), of(3));
  EXPECT_NE(of(3), of(4));
  EXPECT_NEAR(of(3), 4.382739779104921, 1e-12) << "draws have changed";
}

struct RangeCase {
  const char* key;
  double value;
  bool accepted;
};

TEST(Background, AcceptsTheRangesOfItsKeys) {
  for (const auto& [key, value, accepted] : {RangeCase{"background.gradient", 0, true},
                                             {"background.gradient", 2, true},
                                             {"background.gradient", -0.01, false},
                                             {"background.gradient", 2.01, false},
                                             {"background.gradient_degrees", -360, true},
                                             {"background.gradient_degrees", 360, true},
                                             {"background.gradient_degrees", -361, false},
                                             {"background.gradient_degrees", 361, false},
                                             {"background.field_deviation", 0, true},
                                             {"background.field_deviation", 2, true},
                                             {"background.field_deviation", -0.01, false},
                                             {"background.field_deviation", 2.01, false},
                                             {"background.field_um", 1e-3, true},
                                             {"background.field_um", 0, false},
                                             {"background.field_um", -1, false},
                                             {"background.grain_deviation", 0, true},
                                             {"background.grain_deviation", 2, true},
                                             {"background.grain_deviation", -0.01, false},
                                             {"background.grain_deviation", 2.01, false},
                                             {"background.grain_um", 0, true},
                                             {"background.grain_um", -0.01, false},
                                             {"medium.excitation_length_um", 1, true},
                                             {"medium.excitation_length_um", 0, false},
                                             {"medium.excitation_length_um", -1, false},
                                             {"medium.emission_length_um", 1, true},
                                             {"medium.emission_length_um", 0, false},
                                             {"medium.depth_um", 0, true},
                                             {"medium.depth_um", -0.01, false}}) {
    const SceneKey* const found = find_key(key);
    ASSERT_NE(found, nullptr) << key;
    if (accepted)
      EXPECT_NO_THROW(require_in_range(*found, value)) << key << value;
    else
      EXPECT_THROW(require_in_range(*found, value), InvalidSpec) << key << value;
  }
}

}  // namespace
}  // namespace synthoscope::simulator
