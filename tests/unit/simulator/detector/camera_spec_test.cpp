// SPDX-License-Identifier: MIT
// camera_spec_test.cpp — which figures of a camera are refused, and in what words.
#include "simulator/detector/camera_spec.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "simulator/detector/ignored_keys.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

TEST(CameraSpec, AcceptsItsOwnDefaults) {
  EXPECT_NO_THROW(require_valid(CameraSpec{}));
  for (const auto& [kind, name] : kCameraKindNames) {
    EXPECT_NO_THROW(require_valid(typical_camera(kind))) << name;
    EXPECT_EQ(typical_camera(kind).kind, kind) << name;
  }
}

TEST(CameraPresets, AreCamerasThatAreAcceptedAndSayWhereTheirFiguresAreFrom) {
  for (const auto& [preset, name] : kCameraPresetNames) {
    const CameraSpec camera = preset_camera(preset);
    EXPECT_NO_THROW(require_valid(camera)) << name;
    EXPECT_EQ(camera.preset, preset) << name;
    EXPECT_FALSE(preset_text(preset).camera.empty()) << name;
    EXPECT_EQ(preset_text(preset).sources.empty(), preset == CameraPreset::none) << name;
  }
}

TEST(CameraSpec, SaysWhichKeysChangeNothing) {
  CameraSpec camera;
  EXPECT_EQ(warning_of_ignored_keys(camera), "");
  camera.hot_pixels = 0.1;
  EXPECT_EQ(warning_of_ignored_keys(camera),
            "camera.hot_pixels changes nothing, since "
            "camera.hot_dark_current_electrons_per_second is 0: leave it out, or give both");
  camera.hot_dark_current_electrons_per_second = 100;
  camera.dead_pixels = 0.1;
  EXPECT_EQ(warning_of_ignored_keys(camera), "");
  camera.gain_map = "gain.tif";
  EXPECT_EQ(
      warning_of_ignored_keys(camera),
      "camera.dead_pixels changes nothing, since camera.gain_map has the gains: leave it out");
  camera.offset_map = "offset.tif";
  camera.row_offset_spread_dn = 1;
  EXPECT_EQ(warning_of_ignored_keys(camera),
            "camera.dead_pixels changes nothing, since camera.gain_map has the gains: leave it "
            "out, and camera.row_offset_spread_dn changes nothing, since camera.offset_map has the "
            "offsets: leave it out");
  camera = preset_camera(CameraPreset::gsense400_bsi);
  camera.dark_current_map = "dark.tif";
  EXPECT_EQ(warning_of_ignored_keys(camera), "");  // the spread is the preset's
}

struct SpecCase {
  const char* name;
  void (*spoil)(CameraSpec&);
  const char* message;
};
constexpr SpecCase kSpecs[] = {
    {"no_efficiency", [](CameraSpec& s) { s.quantum_efficiency = 0; },
     "check the values: camera.quantum_efficiency is 0; give above 0 up to 1 (electrons per "
     "photon)"},
    {"percent", [](CameraSpec& s) { s.quantum_efficiency = 85; },
     "check the values: camera.quantum_efficiency is 85; give above 0 up to 1 (electrons per "
     "photon)"},
    {"nan_gain", [](CameraSpec& s) { s.gain_dn_per_electron = NAN; },
     "check the values: camera.gain_dn_per_electron is nan; give above 0 up to 1e6 (DN per "
     "electron)"},
    {"negative_noise", [](CameraSpec& s) { s.read_noise_electrons = -1; },
     "check the values: camera.read_noise_electrons is -1; give 0 to 1e6 (electrons)"},
    {"no_exposure", [](CameraSpec& s) { s.exposure_seconds = 0; },
     "check the values: camera.exposure_seconds is 0; give above 0 up to 1e6 (s)"},
    {"multiplication_without_register", [](CameraSpec& s) { s.em_gain = 2; },
     "camera: the multiplication gain is 2, but a camera of kind scmos has no register for it; "
     "choose kind emccd, or a gain of 1"},
    {"dead_time_of_a_ccd",
     [](CameraSpec& s) {
       s = typical_camera(CameraKind::ccd);
       s.dead_time_ns = 20;
     },
     "camera: dead time, one-bit frames and afterpulses are for photon counters, but this camera "
     "is of kind ccd; choose kind counting, or leave them at 0"},
    {"one_bit_and_dead_time",
     [](CameraSpec& s) {
       s = typical_camera(CameraKind::counting);
       s.one_bit_frames = 8;
       s.dead_time_ns = 20;
     },
     "camera: a pixel of one-bit frames counts at most once a frame, regardless of dead time and "
     "afterpulses; leave them at 0, or one_bit_frames"},
    {"more_hot_pixels_than_there_are", [](CameraSpec& s) { s.hot_pixels = 1.5; },
     "check the values: camera.hot_pixels is 1.5; give 0 to 1"},
    {"too_many_bits", [](CameraSpec& s) { s.bit_depth = 17; },
     "check the values: camera.bit_depth is 17; give 1 to 16 (bits)"},
};

class CameraSpecRefuses : public testing::TestWithParam<SpecCase> {};

TEST_P(CameraSpecRefuses, WithOneSentence) {
  CameraSpec spec;
  GetParam().spoil(spec);
  try {
    require_valid(spec);
    FAIL() << "accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Specs, CameraSpecRefuses, testing::ValuesIn(kSpecs), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
