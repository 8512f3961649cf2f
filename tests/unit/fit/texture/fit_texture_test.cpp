// SPDX-License-Identifier: MIT
#include "fit/texture/fit_texture.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "fftconv/host/executor.hpp"
#include "fit/shapes/object_kind.hpp"
#include "fit/texture/texture_sample.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

/// A plane of flat nuclei that is simulated quickly.
SceneSpec flat_nuclei(double contrast) {
  SceneSpec scene;
  scene.grid = {{1, 72, 72}, {0.6, 0.35, 0.35}};
  scene.margin_um = {3, 0, 0};
  scene.masks = simulator::MaskKind::footprint;
  scene.optics.na = 0.8;
  scene.optics.immersion_index = 1;
  scene.optics.size = Extent3{21, 21, 21};
  scene.nuclei.count = 8;
  scene.nuclei.radius_um = 2.6;
  scene.nuclei.axis_ratios = {0.5, 1, 1};
  scene.nuclei.roughness = 0;
  scene.nuclei.texture_octaves = 2;
  scene.nuclei.texture_contrast = contrast;
  scene.nuclei.arrangement = simulator::Arrangement::monolayer;
  return scene;
}

struct TextureBench {
  test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
  TwinImages twins{*blur, run.context};
  LabelledImages real;

  explicit TextureBench(const SceneSpec& truth) { real.push_back(twins.image(truth, 77)); }
};

Findings fitted(const TextureBench& bench, SceneSpec& scene) {
  const std::set<std::string> fixed{"nuclei.kind", "nuclei.texture_wavelength_um",
                                    "nuclei.envelope_density"};
  return fit_texture({bench.real, bench.twins, fixed, 20}, scene);
}

TEST(FittedTexture, FindsTheContrastAgain) {
  for (const double contrast : {0.0, 0.8}) {
    const TextureBench bench{flat_nuclei(contrast)};
    SceneSpec scene = flat_nuclei(0.4);
    const Findings found = fitted(bench, scene);
    ASSERT_EQ(found.refusal, "");
    ASSERT_EQ(found.estimates.size(), 1u);  // the other keys are fixed
    const Estimate& one = found.estimates.front();
    EXPECT_EQ(one.key, "nuclei.texture_contrast");
    EXPECT_EQ(one.origin, Origin::measured);
    EXPECT_LE(one.low, contrast);
    EXPECT_GE(one.high, contrast);
    EXPECT_NEAR(scene.nuclei.texture_contrast, contrast, 0.2);
    EXPECT_EQ(scene.nuclei.texture_wavelength_um, SceneSpec{}.nuclei.texture_wavelength_um);
  }
}

TEST(FittedTexture, IsRefusedWithoutObjectsThatShowOne) {
  const TextureBench bench{flat_nuclei(0.5)};
  SceneSpec scene = flat_nuclei(0.5);
  scene.nuclei.count = 0;
  EXPECT_NE(fitted(bench, scene).refusal.find("neither nuclei nor cells"), std::string::npos);
  scene = flat_nuclei(0.5);
  scene.optics.na = 0.05;  // its PSF is wider than the nuclei
  EXPECT_NE(fitted(bench, scene).refusal.find("too small"), std::string::npos);
}

TEST(TextureSample, HasTheSameObjectsCloserTogether) {
  SceneSpec scene = flat_nuclei(0.5);
  scene.grid.extent = {1, 1024, 1024};
  scene.margin_um = {3, 5, 5};
  scene.nuclei.clustering = 0.5;
  const SceneSpec sample = texture_sample(scene, 20, {0.3, true});
  EXPECT_GT(density_of(sample, ObjectKind::nuclei), 10 * density_of(scene, ObjectKind::nuclei));
  EXPECT_NEAR(double(simulator::number_of(sample.nuclei, simulator::sample_grid(sample))), 20, 3);
  // Discs of radius 3.28 um: 20 of them are 0.3 of 2250 um^2
  EXPECT_NEAR(double(sample.grid.extent.y), std::sqrt(2250.0) / 0.35, 4);
  EXPECT_EQ(sample.nuclei.clustering, 0);
  EXPECT_EQ(sample.nuclei.border, simulator::BorderRule::inside);
  EXPECT_EQ(sample.nuclei.radius_um, scene.nuclei.radius_um);
  EXPECT_EQ(sample.margin_um.x_um, 0);
  EXPECT_EQ(sample.margin_um.z_um, 3);
}

}  // namespace
}  // namespace synthoscope::fit
