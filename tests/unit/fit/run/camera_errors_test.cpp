// SPDX-License-Identifier: MIT
#include "fit/run/camera_errors.hpp"
#include <gtest/gtest.h>

namespace synthoscope::fit {
namespace {

Estimate estimate(std::string key, double low, double value, double high,
                  Origin origin = Origin::measured) {
  Estimate one;
  one.key = std::move(key);
  one.value = value;
  one.low = low;
  one.high = high;
  one.origin = origin;
  return one;
}

std::vector<Findings> found_with(Origin of_gain, Origin of_offset) {
  Findings camera, light;
  camera.stage = Stage::camera;
  camera.estimates = {estimate("camera.gain_dn_per_electron", 1.9, 2, 2.2, of_gain),
                      estimate("camera.offset_dn", 97, 100, 104, of_offset)};
  light.stage = Stage::light;
  light.estimates = {estimate("background.photons_per_pixel", 37, 40, 44),
                     estimate("nuclei.photons_per_um3", 90, 100, 110),
                     estimate("nuclei.intensity_spread", 0.1, 0.2, 0.3)};
  return {camera, light};
}

simulator::SceneSpec scene() {
  simulator::SceneSpec spec;
  spec.camera.gain_dn_per_electron = 2;
  spec.camera.quantum_efficiency = 0.5;
  return spec;  // 1 DN for each photon
}

TEST(CameraErrors, AddInQuadratureToThoseOfPhotons) {
  auto found = found_with(Origin::measured, Origin::measured);
  widen_by_camera(scene(), found);
  const auto& light = found[1].estimates;
  // Of the gain 10 % fewer and 5 % more photons, of the offset 4 fewer and 3 more
  EXPECT_NEAR(light[0].low, 40 - std::sqrt(9.0 + 16 + 16), 1e-12);
  EXPECT_NEAR(light[0].high, 40 + std::sqrt(16.0 + 4 + 9), 1e-12);
  EXPECT_NEAR(light[1].low, 100 - std::sqrt(100.0 + 100), 1e-12);
  EXPECT_NEAR(light[1].high, 100 + std::sqrt(100.0 + 25), 1e-12);
  EXPECT_EQ(light[2].low, 0.1) << "how brightness differs does not depend on the camera";
}

TEST(CameraErrors, OfAGivenCameraAreNone) {
  auto found = found_with(Origin::given, Origin::given);
  widen_by_camera(scene(), found);
  EXPECT_EQ(found[1].estimates[0].low, 37);
  EXPECT_EQ(found[1].estimates[1].high, 110);
}

}  // namespace
}  // namespace synthoscope::fit
