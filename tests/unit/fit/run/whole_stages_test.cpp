// SPDX-License-Identifier: MIT
// whole_stages_test.cpp — camera, light and blur of small scenes: each stage as a whole finds what
// the scene was made with.
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <string>
#include "fftconv/host/executor.hpp"
#include "fit/blur/fit_blur.hpp"
#include "fit/camera/fit_camera.hpp"
#include "fit/light/fit_light.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

using simulator::parse_scene;
using simulator::SceneSpec;

/// Nuclei in a plane through a lens of air, whose pixels are half as large as its detail.
const std::string kNucleiInPlane = R"(
grid.size = [1, 160, 160]
grid.pitch_nm = [2000, 160, 160]
grid.margin_um = [3, 3, 3]
grid.masks = "footprint"
nuclei.count = 12
nuclei.radius_um = 2
nuclei.degree = 2
optics.na = 0.5
optics.wavelength_nm = 520
optics.immersion_index = 1
camera.kind = "scmos"
camera.gain_dn_per_electron = 2
camera.offset_dn = 100
camera.read_noise_electrons = 1.5
camera.gain_spread = 0
camera.offset_spread_dn = 0
)";

/// Beads that are far smaller than what the lens resolves.
const std::string kBeadsInPlane = R"(
grid.size = [1, 160, 160]
grid.pitch_nm = [500, 160, 160]
nuclei.count = 0
beads.count = 14
beads.photons = 60000
optics.wavelength_nm = 520
optics.immersion_index = 1
camera.kind = "scmos"
camera.offset_dn = 100
)";

/// A real image of a scene: one with its own seed, which no twin has.
class WholeStage : public testing::Test {
 protected:
  void record(const std::string& text) {
    images.push_back(twins.image(parse_scene(text, "the truth"), 4321));
  }
  [[nodiscard]] StageTask task() const { return {images, twins, fixed, 30}; }

  /// The interval of a key holds its true value, and is no wider than `widest` of it to each side.
  static void expect_told(const Findings& found, const std::string& key, double truth,
                          double widest) {
    EXPECT_EQ(found.refusal, "");
    const auto one = std::find_if(found.estimates.begin(), found.estimates.end(),
                                  [&](const Estimate& e) { return e.key == key; });
    ASSERT_NE(one, found.estimates.end()) << key;
    EXPECT_LE(one->low, truth) << key << " is " << one->value;
    EXPECT_GE(one->high, truth) << key << " is " << one->value;
    EXPECT_LT(one->high - one->low, 2 * widest * truth) << key;
    EXPECT_EQ(one->origin, Origin::measured) << key;
  }

  synthoscope::test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
  TwinImages twins{*blur, run.context};
  LabelledImages images;
  std::set<std::string> fixed;
};

TEST_F(WholeStage, CameraFindsTheGain) {
  record(kNucleiInPlane + "nuclei.photons_per_um3 = 3000\nbackground.photons_per_pixel = 20\n");
  fixed = {"optics.na", "optics.wavelength_nm", "camera.read_noise_electrons"};
  SceneSpec scene = parse_scene(kNucleiInPlane, "the start");
  scene.camera.gain_dn_per_electron = 1;
  scene.camera.offset_dn = 0;
  const Findings found = fit_camera(task(), scene);
  expect_told(found, "camera.gain_dn_per_electron", 2, 0.2);
  expect_told(found, "camera.offset_dn", 100, 0.1);
}

TEST_F(WholeStage, LightFindsBrightnessAndBackground) {
  record(kNucleiInPlane + "nuclei.photons_per_um3 = 60\nbackground.photons_per_pixel = 40\n");
  for (const char* const key : {"gain_dn_per_electron", "offset_dn", "quantum_efficiency"})
    fixed.insert(std::string{"camera."} + key);
  SceneSpec scene = parse_scene(kNucleiInPlane + "nuclei.photons_per_um3 = 20\n", "the start");
  const Findings found = fit_light(task(), scene);
  expect_told(found, "nuclei.photons_per_um3", 60, 0.6);
  expect_told(found, "background.photons_per_pixel", 40, 0.1);
}

TEST_F(WholeStage, BlurFindsTheApertureFromBeads) {
  record(kBeadsInPlane + "optics.na = 0.5\n");
  SceneSpec scene = parse_scene(kBeadsInPlane + "optics.na = 0.6\n", "the start");
  const Findings found = fit_blur(task(), scene);
  expect_told(found, "optics.na", 0.5, 0.1);
}

}  // namespace
}  // namespace synthoscope::fit
