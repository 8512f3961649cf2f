// SPDX-License-Identifier: MIT
// camera_spec_test.cpp — which figures of a camera are refused, and in what words.
#include "simulator/detector/camera_spec.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/error.hpp"
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

struct SpecCase {
  const char* name;
  void (*spoil)(CameraSpec&);
  const char* message;
};
constexpr SpecCase kSpecs[] = {
    {"no_efficiency", [](CameraSpec& s) { s.quantum_efficiency = 0; },
     "camera: the quantum efficiency is 0, accepted is above 0 up to 1; correct it"},
    {"percent", [](CameraSpec& s) { s.quantum_efficiency = 85; },
     "camera: the quantum efficiency is 85, accepted is above 0 up to 1; correct it"},
    {"nan_gain", [](CameraSpec& s) { s.gain_dn_per_electron = NAN; },
     "camera: the gain is nan DN per electron, accepted is above 0 up to 1000000 DN per electron; "
     "correct it"},
    {"negative_noise", [](CameraSpec& s) { s.read_noise_electrons = -1; },
     "camera: the read noise is -1 electrons, accepted is from 0 up to 1000000 electrons; correct "
     "it"},
    {"no_exposure", [](CameraSpec& s) { s.exposure_seconds = 0; },
     "camera: the exposure is 0 s, accepted is above 0 up to 1000000 s; correct it"},
    {"multiplication_without_register", [](CameraSpec& s) { s.em_gain = 2; },
     "camera: the multiplication gain is 2, but a camera of kind scmos has no register for it; "
     "choose kind emccd, or a gain of 1"},
    {"too_many_bits", [](CameraSpec& s) { s.bit_depth = 17; },
     "camera: the bit depth is 17, accepted is from 1 up to 16; correct it"},
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
