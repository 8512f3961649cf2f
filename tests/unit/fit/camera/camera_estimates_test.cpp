// SPDX-License-Identifier: MIT
#include "fit/camera/camera_estimates.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

/// Gain 2, offset 100, read noise 3: the variance at the offset is 36 + 1/12.
CameraNoise known_noise() {
  CameraNoise noise;
  noise.line.slope = 2;
  noise.line.zero = 100 - (36 + 1.0 / 12) / 2;
  noise.line.slope_error = 0.02;
  noise.line.zero_error = 0.5;
  noise.pattern.gains_error = 1e-4;
  noise.rounding = 1.0 / 12;
  noise.dark_mean = 130;
  noise.dark_mean_error = 0.5;
  noise.range = 1000;
  noise.mean_variance = 500;
  noise.tiles = 400;
  noise.levels.highest = 1500;
  return noise;
}

struct Told {
  simulator::SceneSpec scene;
  Findings found;
  [[nodiscard]] const Estimate& of(const std::string& key) const {
    for (const Estimate& one : found.estimates)
      if (one.key == key) return one;
    throw std::runtime_error(key + " is not told");
  }
};

Told told(const CameraNoise& noise,
          const std::vector<std::pair<std::string, simulator::SceneValue>>& given = {}) {
  Told result;
  std::set<std::string> fixed;
  for (const auto& [key, value] : given) {
    simulator::give(result.scene, *simulator::find_key(key), value);
    fixed.insert(key);
  }
  estimate_camera(noise, fixed, result.scene, result.found);
  return result;
}

TEST(CameraEstimates, OffsetFollowsFromAReadNoiseThatIsGiven) {
  const Told result = told(known_noise(), {{"camera.read_noise_electrons", 3.0}});
  EXPECT_NEAR(result.scene.camera.offset_dn, 100, 1e-6);
  EXPECT_EQ(result.scene.camera.read_noise_electrons, 3);
  EXPECT_EQ(result.of("camera.offset_dn").origin, Origin::measured);
  EXPECT_LE(result.of("camera.offset_dn").low, 99.1);
  EXPECT_EQ(result.of("camera.read_noise_electrons").origin, Origin::given);
}

TEST(CameraEstimates, ReadNoiseFollowsFromAnOffsetThatIsGiven) {
  const Told result = told(known_noise(), {{"camera.offset_dn", 100.0}});
  EXPECT_NEAR(result.scene.camera.read_noise_electrons, 3, 1e-6);
  EXPECT_EQ(result.scene.camera.offset_dn, 100);
}

TEST(CameraEstimates, WithNeitherBothAreIntervalsOfOneLine) {
  const Told result = told(known_noise());
  const Estimate &offset = result.of("camera.offset_dn"),
                 &noise = result.of("camera.read_noise_electrons");
  EXPECT_EQ(offset.origin, Origin::assumed);
  EXPECT_LE(offset.low, known_noise().line.zero + 1.0 / 24);
  EXPECT_NEAR(offset.high, 131, 0.1);
  EXPECT_EQ(noise.low, 0);
  // An offset of 131 needs a variance of 2 (131 - 81.96), with the zero's own error
  EXPECT_NEAR(noise.high, std::sqrt(2 * (131 - 81.96 + 0.98)) / 2, 0.05);
  const auto& camera = result.scene.camera;
  EXPECT_NEAR(camera.offset_dn - 2 * std::pow(camera.read_noise_electrons, 2) - 1.0 / 24,
              known_noise().line.zero, 1e-6);
}

TEST(CameraEstimates, NoOffsetIsBelowZeroSoThatReadNoiseIsNot) {
  CameraNoise noise = known_noise();
  noise.line.zero = -18 - 1.0 / 24;
  noise.dark_mean = 5;
  const Told result = told(noise);
  EXPECT_EQ(result.scene.camera.offset_dn, 0);
  EXPECT_NEAR(result.scene.camera.read_noise_electrons, 3, 1e-6);
}

TEST(CameraEstimates, TheProductIsToldOfAnEmccd) {
  const Told result =
      told(known_noise(), {{"camera.kind", std::string{"emccd"}}, {"camera.em_gain", 200.0}});
  EXPECT_NEAR(result.scene.camera.gain_dn_per_electron, 2.0 / 399, 1e-9);
}

TEST(CameraEstimates, CountsOfBinnedPixelsHaveTheirSumOfOffsets) {
  CameraNoise noise = known_noise();
  noise.line.zero = 400 - (4 * 36 + 1.0 / 12) / 2;
  const Told result =
      told(noise, {{"camera.binning", std::int64_t{2}}, {"camera.read_noise_electrons", 3.0}});
  EXPECT_NEAR(result.scene.camera.offset_dn, 100, 1e-6);
}

TEST(CameraEstimates, NoiseThatDoesNotGrowTellsReadNoiseInDnAlone) {
  CameraNoise noise = known_noise();
  noise.line.slope = 0.001;
  noise.mean_variance = 25 + 1.0 / 12;
  const Told result = told(noise);
  EXPECT_FALSE(grows_with_light(noise));
  EXPECT_NEAR(result.of("read noise").value, 5, 1e-9);
  EXPECT_EQ(result.of("camera.gain_dn_per_electron").origin, Origin::assumed);
  const auto& camera = result.scene.camera;
  EXPECT_NEAR(camera.gain_dn_per_electron * camera.read_noise_electrons, 5, 1e-6);
  EXPECT_EQ(camera.offset_dn, 65);
  noise.is_eight_bit = true;
  EXPECT_EQ(told(noise).scene.camera.offset_dn, 0);
}

TEST(CameraEstimates, AFullWellFollowsFromASaturationBelowTheBits) {
  CameraNoise noise = known_noise();
  noise.levels.is_saturated = true;
  const Told result = told(noise, {{"camera.read_noise_electrons", 3.0}});
  EXPECT_NEAR(result.scene.camera.full_well_electrons, 700, 1e-3);
  noise.levels.highest = 4095;
  const Told full = told(noise);
  EXPECT_EQ(full.scene.camera.bit_depth, 12);
  EXPECT_EQ(full.of("camera.bit_depth").origin, Origin::measured);
}

TEST(CameraEstimates, AFileOfMoreBitsMayHoldAnImageOfEight) {
  struct Row {
    double lowest, highest;
    int bits;
  };
  for (const auto& [lowest, highest, bits] :
       {Row{2, 254, 8}, {2, 100, 16}, {2, 300, 16}, {40, 254, 16}}) {
    CameraNoise noise = known_noise();
    noise.levels.lowest = lowest;
    noise.levels.highest = highest;
    const Told result = told(noise);
    EXPECT_EQ(result.scene.camera.bit_depth, bits) << lowest << " to " << highest;
    EXPECT_EQ(result.of("camera.bit_depth").high, 16);
    EXPECT_EQ(result.of("camera.bit_depth").origin, Origin::assumed);
  }
}

TEST(CameraEstimates, GrowthThatGainsMayShareBoundsTheGain) {
  CameraNoise noise = known_noise();
  noise.is_growth_shared = true;
  const Told result = told(noise);
  const Estimate& gain = result.of("camera.gain_dn_per_electron");
  EXPECT_EQ(gain.origin, Origin::assumed);
  EXPECT_EQ(gain.low, 0);
  EXPECT_EQ(gain.value, 2);
}

TEST(CameraEstimates, APresetTellsReadNoise) {
  const Told result = told(known_noise(), {{"camera.preset", std::string{"icx285"}}});
  EXPECT_EQ(result.scene.camera.read_noise_electrons, 7);
  EXPECT_NEAR(result.scene.camera.gain_dn_per_electron, 2, 1e-9);
}

TEST(CameraEstimates, ABandThatMayHoldLightLowersTheInterval) {
  CameraNoise noise = known_noise();
  noise.band.may_hold_light = true;
  EXPECT_NEAR(told(noise).of("camera.gain_dn_per_electron").low, 2 - 0.0392 - 0.2, 1e-3);
}

}  // namespace
}  // namespace synthoscope::fit
