// SPDX-License-Identifier: MIT
#include "fit/camera/noise_tiles.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "fit/camera/noise_band.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/fit/camera/noisy_image.hpp"

namespace synthoscope::fit {
namespace {

constexpr Extent3 kPlane{1, 128, 128};

double mean_power(const std::vector<NoiseTile>& tiles, int first) {
  double sum = 0;
  for (const NoiseTile& tile : tiles) sum += power_from(tile, first);
  return sum / static_cast<double>(tiles.size());
}

std::vector<NoiseTile> tiles_of(const LabelledImage& image) {
  synthoscope::test::TestContext run;
  return noise_tiles(image.counts.view(), {}, 8, run.context);
}

LabelledImage uniform(double electrons, const test::KnownCamera& camera,
                      const Extent3& extent = kPlane) {
  return test::noisy_image(
      extent, [=](std::int64_t, std::int64_t) { return electrons; }, camera);
}

TEST(NoiseTiles, PowerOfWhiteNoiseIsItsVarianceInEveryRing) {
  const auto tiles = tiles_of(uniform(100, {}));
  ASSERT_EQ(tiles.size(), 49u);  // half overlapping: 7 x 7
  const double variance = 4 * (100 + 2.25) + 1.0 / 12;
  for (const int first : {3, 12, 16, 20})
    EXPECT_NEAR(mean_power(tiles, first), variance, 0.06 * variance) << first;
}

TEST(NoiseTiles, MeanIsThatOfThePixels) {
  const auto tiles = tiles_of(uniform(100, {}));
  EXPECT_NEAR(tiles[10].mean, 300, 4);
}

TEST(NoiseTiles, AnEvenImageHasNoPower) {
  LabelledImage image = uniform(0, {});
  std::fill(image.counts.voxels.begin(), image.counts.voxels.end(), 7.0F);
  const auto tiles = tiles_of(image);
  EXPECT_EQ(tiles[0].mean, 7);
  EXPECT_NEAR(power_from(tiles[0], 0), 0, 1e-20);
}

TEST(NoiseTiles, AWaveLiesInTheRingOfItsFrequency) {
  LabelledImage image = uniform(0, {});
  for (std::int64_t y = 0; y < 128; ++y)
    for (std::int64_t x = 0; x < 128; ++x)
      image.counts.view()(0, y, x) = static_cast<float>(
          std::cos(2 * std::numbers::pi * static_cast<double>(6 * y + 8 * x) / kTileSide));
  const auto tiles = tiles_of(image);
  std::size_t strongest = 0;
  for (std::size_t ring = 0; ring < tiles[0].power.size(); ++ring)
    if (tiles[0].power[ring] > tiles[0].power[strongest]) strongest = ring;
  EXPECT_EQ(strongest, 10u);  // the root of 6^2 + 8^2
  EXPECT_LT(tiles[0].power[14], 1e-5 * tiles[0].power[10]);
}

TEST(NoiseTiles, VariationOfLightAcrossATileDoesNotBendTheLine) {
  // Variance and mean are both linear in the light, however it varies within the tile
  const auto tiles = tiles_of(test::noisy_image(kPlane, test::ramp(0, 2000, 128), {}));
  double ratio = 0;
  for (const NoiseTile& tile : tiles)
    ratio += power_from(tile, 12) / (2 * (tile.mean - 100) + 9) / static_cast<double>(tiles.size());
  EXPECT_NEAR(ratio, 1, 0.04);
}

TEST(NoiseTiles, DifferencesOfPlanesLackTheFixedPattern) {
  synthoscope::test::TestContext run;
  const LabelledImage image = uniform(100, {.offset_spread = 30}, {3, 128, 128});
  const double variance = 4 * (100 + 2.25) + 1.0 / 12;
  const auto planes = noise_tiles(image.counts.view(), {}, 8, run.context);
  const auto differences = difference_tiles(image.counts.view(), {}, 8, run.context);
  EXPECT_EQ(differences.size(), 2u * 49);
  EXPECT_NEAR(mean_power(planes, 12), variance + 900, 0.06 * (variance + 900));
  EXPECT_NEAR(mean_power(differences, 12), variance, 0.06 * variance);
  EXPECT_NEAR(differences[0].mean, 300, 15);
}

TEST(NoiseTiles, TilesWithClippedPixelsAreLeftOut) {
  synthoscope::test::TestContext run;
  LabelledImage image = uniform(100, {});
  image.counts.view()(0, 0, 0) = 5000;  // in one tile only
  EXPECT_EQ(noise_tiles(image.counts.view(), {-1, 5000}, 8, run.context).size(), 48u);
}

TEST(NoiseTiles, AnImageNarrowerThanATileHasNone) {
  EXPECT_TRUE(tiles_of(uniform(100, {}, {1, 128, 31})).empty());
}

TEST(NoiseTiles, FrequenciesAlongAnAxisDoNotCount) {
  int sum = 0;
  for (const int count : frequencies_of_rings()) sum += count;
  EXPECT_EQ(sum, 29 * 29);             // of 32 along an axis without 0 and its two neighbours
  EXPECT_EQ(frequencies_from(22), 1);  // the corner alone
}

TEST(NoiseBand, BeginsARingBeyondTheCutoff) {
  const auto tiles = tiles_of(uniform(100, {}));
  EXPECT_EQ(noise_band(tiles, 0.75, true).first_ring, 13);
  EXPECT_EQ(noise_band(tiles, 0.70, true).first_ring, 13);
  EXPECT_FALSE(noise_band(tiles, 0.75, true).may_hold_light);
}

TEST(NoiseBand, IsAnUpperBoundIfTheCutoffLiesBeyondTheCorner) {
  const NoiseBand band = noise_band(tiles_of(uniform(100, {})), 1.5, true);
  EXPECT_TRUE(band.may_hold_light);
  EXPECT_LE(band.first_ring, 20);
}

TEST(NoiseBand, OfAssumedOpticsBeginsWhereTheSpectrumIsFlat) {
  LabelledImage image = uniform(100, {}, {1, 256, 256});
  for (std::int64_t y = 0; y < 256; ++y)
    for (std::int64_t x = 0; x < 256; ++x)
      image.counts.view()(0, y, x) += static_cast<float>(
          200 * std::cos(2 * std::numbers::pi * static_cast<double>(9 * y + 9 * x) / kTileSide));
  const auto tiles = tiles_of(image);  // a wave in ring 12, spread to 14 by the window
  const NoiseBand band = noise_band(tiles, 0.3, false);
  EXPECT_EQ(band.from, BandFrom::spectrum);
  EXPECT_GE(band.first_ring, 14);
  EXPECT_LE(band.first_ring, 17);
}

TEST(NoiseBand, OfWhiteNoiseIsNotNarrowedByTheChoiceOfTiles) {
  const auto tiles = tiles_of(test::noisy_image({1, 384, 384}, test::ramp(20, 2000, 384), {}));
  const NoiseBand band = noise_band(tiles, 0.1, false);
  // Waves up to ring 11 choose the tiles, which makes them strong
  EXPECT_LE(band.first_ring, 12);
  EXPECT_FALSE(band.may_hold_light);
}

TEST(NoiseBand, LightThatIsLeftShowsInTilesOfVariedLight) {
  const auto calm = tiles_of(test::noisy_image({1, 256, 256}, test::ramp(20, 2000, 256), {}));
  const RingRatio none = varied_over_calm(calm, 16);
  EXPECT_NEAR(none.ratio, 1, 4 * none.error);
  auto tiles = calm;
  // Every second tile has structure: half of its power in long waves is left in short ones
  for (std::size_t i = 0; i < tiles.size(); i += 2)
    for (int ring = 3; ring < kTileRings; ++ring)
      tiles[i].power[static_cast<std::size_t>(ring)] *= ring < 12 ? 3 : 1.5;
  const RingRatio some = varied_over_calm(tiles, 16);
  EXPECT_GT(some.ratio, 1 + 4 * some.error);
}

}  // namespace
}  // namespace synthoscope::fit
