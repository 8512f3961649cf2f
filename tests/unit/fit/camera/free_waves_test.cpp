// SPDX-License-Identifier: MIT
#include "fit/camera/free_waves.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "fit/camera/noise_blocks.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/fit/camera/noisy_image.hpp"

namespace synthoscope::fit {
namespace {

constexpr int kSide = 32, kPlanes = 16;

/// n / l = 3, NA / l = 2 and cos(a) = sqrt(5) / 3 per um: at most 3 - sqrt(5) = 0.764 along z.
simulator::OpticsSpec lens() {
  simulator::OpticsSpec optics;
  optics.na = 1;
  optics.immersion_index = 1.5;
  optics.wavelength_nm = 500;
  return optics;
}

struct SupportCase {
  const char* name;
  double lateral, axial;
  bool is_held;
};
constexpr SupportCase kSupportCases[] = {
    {"most along z half way to the cut-off", 2, 0.76, true}, {"no more", 2, 0.77, false},
    {"nearly nothing at long waves", 0.1, 0.08, true},       {"the missing cone", 0.1, 0.09, false},
    {"in the plane up to the cut-off", 3.99, 0, true},       {"not beyond", 4.01, 0, false},
};

TEST(OpticalSupport, OfALensHasAMissingConeAndEnds) {
  for (const SupportCase& one : kSupportCases)
    EXPECT_EQ(OpticalSupport{lens()}.holds(one.lateral, one.axial), one.is_held) << one.name;
}

TEST(OpticalSupport, OfAConfocalMicroscopeIsTakenAsABox) {
  simulator::OpticsSpec optics = lens();
  optics.model = simulator::PsfModel::confocal;
  optics.excitation_nm = 500;
  EXPECT_TRUE(OpticalSupport{optics}.holds(0.1, 1.5));
  EXPECT_FALSE(OpticalSupport{optics}.holds(0.1, 1.6));
}

TEST(FreeWaves, LieBeyondTheSupportAlongZHoweverCoarsePixelsAre) {
  // Waves along z are 0.3125 per um apart: the fourth and its neighbours are beyond 0.764 per um
  const FreeWaves free = free_waves(OpticalSupport{lens()}, {0.2, 0.3, 0.3}, kPlanes, kSide);
  const auto at = [&](int z) {
    return std::count_if(free.waves.begin(), free.waves.end(),
                         [&](const auto& wave) { return wave[0] == z; });
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(2), 0);
  for (int z = 4; z <= kPlanes / 2; ++z) EXPECT_EQ(at(z), at(8)) << z;
  EXPECT_GT(at(4), kSide * kSide / 2);
  EXPECT_GT(free.share, 0.3);
}

TEST(FreeWaves, AreNoneWhereLightIsFoldedBackEverywhere) {
  EXPECT_TRUE(free_waves(OpticalSupport{lens()}, {1.5, 0.2, 0.2}, kPlanes, kSide).waves.empty());
}

TEST(NoiseBlocks, HaveTheNoiseOfTheCameraWithoutItsPattern) {
  const test::KnownCamera camera{.gain_spread = 0.1};
  LabelledImage image = test::noisy_image({16, 96, 96}, test::ramp(100, 400, 96), camera);
  const FreeWaves free = free_waves(OpticalSupport{lens()}, {0.2, 0.3, 0.3}, kPlanes, kSide);
  synthoscope::test::TestContext here;
  const auto points = noise_blocks(image.counts.view(), {}, free, 1000, here.context);
  ASSERT_EQ(points.size(), 25u);
  double sum = 0;
  for (const NoisePoint& point : points) {
    // Read noise of 1.5 electrons, and rounding
    const double expected = camera.gain * (point.mean - camera.offset) + 9 + 1.0 / 12;
    sum += point.variance / expected / 25;
  }
  // The pattern of gains alone would add 0.1^2 times 250 electrons: 2.5 times the noise
  EXPECT_NEAR(sum, 1, 4 * scatter_of_blocks(free) / 5);
  EXPECT_LT(scatter_of_blocks(free), 0.06);
}

TEST(NoiseBlocks, AreAsManyAsAskedFor) {
  LabelledImage image = test::noisy_image({16, 96, 96}, test::ramp(100, 400, 96), {});
  const FreeWaves free = free_waves(OpticalSupport{lens()}, {0.2, 0.3, 0.3}, kPlanes, kSide);
  synthoscope::test::TestContext here;
  EXPECT_LE(noise_blocks(image.counts.view(), {}, free, 9, here.context).size(), 9u);
}

}  // namespace
}  // namespace synthoscope::fit
