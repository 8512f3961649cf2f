// SPDX-License-Identifier: MIT
#include "fit/blur/band_powers.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <random>

namespace synthoscope::fit {
namespace {

LabelledImage image_of(const Extent3& extent) {
  LabelledImage image;
  image.grid = {extent, {0.3, 0.1, 0.1}};
  image.counts = Volume<float>{extent};
  return image;
}

LabelledImage white_noise(const Extent3& extent, double sigma) {
  LabelledImage image = image_of(extent);
  std::mt19937 random{3};
  std::normal_distribution<double> normal{100, sigma};
  for (float& count : image.counts.voxels) count = static_cast<float>(normal(random));
  return image;
}

BandPowers sum_of(const std::vector<BandPowers>& parts) {
  BandPowers all;
  for (const BandPowers& part : parts) all += part;
  return all;
}

TEST(BandPowers, OfWhiteNoiseAreItsVarianceInAllBands) {
  const BandPowers all = sum_of(band_powers(white_noise({1, 256, 256}, 5)));
  constexpr double kTiles = 7 * 7;
  EXPECT_NEAR(all.noise / kTiles, 25, 1);
  for (std::size_t band = 0; band < kLateralBandCount; ++band) {
    EXPECT_NEAR(all.lateral[band] / kTiles, 25, 3) << band;
    EXPECT_FALSE(all.is_clear(band)) << band;
  }
}

TEST(BandPowers, OfWhiteNoiseAreAlikeAlongZ) {
  const BandPowers all = sum_of(band_powers(white_noise({16, 96, 96}, 5)));
  for (std::size_t band = 0; band < kAxialBandCount; ++band)
    EXPECT_NEAR(all.axial[band] / all.axial_noise, 1, 0.2) << band;
}

TEST(BandPowers, AWaveIsInTheBandOfItsFrequency) {
  LabelledImage image = white_noise({1, 128, 128}, 0.1);
  for (std::int64_t y = 0; y < 128; ++y)
    for (std::int64_t x = 0; x < 128; ++x)
      image.counts.view()(0, y, x) +=
          static_cast<float>(10 * std::cos(2 * std::numbers::pi * 0.25 * static_cast<double>(x)));
  const BandPowers all = sum_of(band_powers(image));
  for (std::size_t band = 0; band < kLateralBandCount; ++band)
    EXPECT_EQ(all.is_clear(band), kLateralBands[band] < 0.25 && 0.25 < kLateralBands[band + 1])
        << band;
}

TEST(ShapeOfBands, APowerLawIsItsExponentAndNoRest) {
  BandPowers powers;
  powers.noise = 1e-9;
  std::vector<std::size_t> bands;
  for (std::size_t band = 0; band < kLateralBandCount; ++band) {
    const double frequency = (kLateralBands[band] + kLateralBands[band + 1]) / 2;
    powers.lateral[band] = 7 * std::pow(frequency, -3) + powers.noise;
    bands.push_back(band);
  }
  const BandShape shape = shape_of_bands(powers, bands);
  EXPECT_NEAR(shape.tilt, -3, 1e-9);
  for (const double rest : shape.rest) EXPECT_NEAR(rest, 0, 1e-9);
}

}  // namespace
}  // namespace synthoscope::fit
