// SPDX-License-Identifier: MIT
// light_keys_test.cpp — which keys of a scene its light is found in, and what a camera makes of it.
#include "fit/light/light_keys.hpp"
#include <gtest/gtest.h>
#include "fftconv/host/executor.hpp"
#include "fit/light/uneven_light.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

using simulator::parse_scene;
using simulator::SceneSpec;

/// A task whose fixed keys are given; nothing is simulated.
struct Asked {
  explicit Asked(std::set<std::string> keys = {}) : fixed{std::move(keys)} {}
  test::TestContext run{1};
  std::unique_ptr<fftconv::Executor> executor = fftconv::make_host_executor({1 << 20});
  TwinImages twins{*executor, run.context};
  LabelledImages images;
  std::set<std::string> fixed;
  StageTask task{images, twins, fixed};
};

std::vector<std::string> brightness_of(const LightKeys& keys) {
  std::vector<std::string> names;
  for (const BrightnessKey& one : keys.brightness) names.push_back(one.key);
  return names;
}

TEST(LightKeys, OfNucleiAreOne) {
  const LightKeys keys = light_keys_of(parse_scene("", "scene"), Asked{}.task);
  EXPECT_EQ(keys.table, "nuclei");
  EXPECT_EQ(brightness_of(keys), std::vector<std::string>{"nuclei.photons_per_um3"});
  EXPECT_EQ(keys.brightness[0].zone, Zone::whole);
  EXPECT_TRUE(keys.companions.empty());
}

TEST(LightKeys, OfCellsAreThoseThatGiveLight) {
  const Asked asked{{"cells.cytoplasm_photons_per_um3"}};
  const SceneSpec scene = parse_scene("[cells]\ncount = 3\nnucleus_photons_per_um3 = 0\n", "scene");
  EXPECT_EQ(brightness_of(light_keys_of(scene, asked.task)),
            std::vector<std::string>{"cells.membrane_photons_per_um3"});
}

TEST(LightKeys, OfCellsWithOrganellesChangeTogether) {
  const SceneSpec scene = parse_scene("[cells]\ncount = 3\nvesicles = 5\n", "scene");
  const LightKeys keys = light_keys_of(scene, Asked{}.task);
  ASSERT_EQ(keys.brightness.size(), 1u);
  EXPECT_EQ(keys.brightness[0].zone, Zone::whole);
  SceneSpec brighter = scene;
  set_number(brighter, keys.brightness[0].key, 3 * number_of_key(scene, keys.brightness[0].key));
  scale_companions(scene, keys, brighter);
  EXPECT_DOUBLE_EQ(brighter.cells.vesicle_photons_per_um3, 90000);
}

TEST(LightKeys, NucleiOfCellsAreSeenIfTheyAreStainedAndTheirSizeIsFree) {
  const auto are_seen = [](const char* cells, std::set<std::string> fixed) {
    const Asked asked{std::move(fixed)};
    const SceneSpec scene = parse_scene(std::string{"[cells]\ncount = 3\n"} + cells, "scene");
    return shows_nuclei_of_cells(scene, light_keys_of(scene, asked.task), asked.task);
  };
  EXPECT_TRUE(are_seen("", {}));
  EXPECT_FALSE(are_seen("", {"cells.nucleus_radius_um"}));
  EXPECT_FALSE(are_seen("nucleus_photons_per_um3 = 0\n", {}));
  EXPECT_FALSE(are_seen("nucleus_radius_um = 0\n", {}));
  EXPECT_FALSE(are_seen("vesicles = 5\n", {}));  // light is one factor
}

TEST(LightKeys, AreNoneWhereAllAreFixed) {
  const Asked asked{{"nuclei.photons_per_um3"}};
  EXPECT_TRUE(light_keys_of(parse_scene("", "scene"), asked.task).brightness.empty());
}

TEST(CameraLine, IsThatOfItsKeys) {
  const CameraLine line = camera_line(
      parse_scene("[camera]\noffset_dn = 100\ngain_dn_per_electron = 2\nquantum_efficiency = 0.5\n"
                  "dark_current_electrons_per_second = 3\nexposure_seconds = 2\n"
                  "[illumination]\ndose = 7\n",
                  "scene"));
  EXPECT_DOUBLE_EQ(line.dark_dn, 112);
  EXPECT_DOUBLE_EQ(line.dn_per_photon, 7);
  // Four pixels are added before an EMCCD is read out: one offset
  const CameraLine binned = camera_line(
      parse_scene("[camera]\nkind = \"emccd\"\nbinning = 2\noffset_dn = 100\nem_gain = 10\n"
                  "gain_dn_per_electron = 0.5\nquantum_efficiency = 0.8\n"
                  "dark_current_electrons_per_second = 0\nclock_induced_charge_electrons = 1\n",
                  "scene"));
  EXPECT_DOUBLE_EQ(binned.dark_dn, 100 + 0.5 * 10 * 4);
  EXPECT_DOUBLE_EQ(binned.dn_per_photon, 0.5 * 10 * 0.8 * 4);
}

/// Statistics of a background whose level is 20 DN, and its slopes.
Statistics sloping(double along_x, double along_y) {
  return {{std::string{light_name::kLevel}, std::string{light_name::kAlongX},
           std::string{light_name::kAlongY}},
          Eigen::Vector3d{20, along_x, along_y},
          0.01 * Eigen::Matrix3d::Identity(),
          9};
}

TEST(UnevenLight, AGradientIsTheSlopeOverTheBackground) {
  // A square field: slopes of 6 and 8 DN are 10 DN over a field of 1.4 sides along (0.6, 0.8)
  SceneSpec scene = parse_scene("[grid]\nsize = [1, 100, 100]\n", "scene");
  const FieldFit none;
  Findings found;
  find_gradient({sloping(7, 8), sloping(1, 0), none, none, 20}, Asked{}.task, scene, found);
  EXPECT_NEAR(scene.background.gradient, 10 * 1.4 / 20, 1e-9);
  EXPECT_NEAR(scene.background.gradient_degrees, 53.1301, 1e-3);
  ASSERT_EQ(found.estimates.size(), 2u);
  // Both slopes have a variance of 0.01 in the images and in the twin
  EXPECT_NEAR(found.estimates[0].high, (10 + 1.96 * std::sqrt(0.02)) * 1.4 / 20, 1e-9);
}

TEST(UnevenLight, ASlopeOfChanceIsNoGradient) {
  SceneSpec scene = parse_scene("[background]\ngradient = 0.3\n", "scene");
  const FieldFit none;
  Findings found;
  find_gradient({sloping(0.1, 0.1), sloping(0, 0), none, none, 20}, Asked{}.task, scene, found);
  EXPECT_EQ(scene.background.gradient, 0);
  ASSERT_EQ(found.estimates.size(), 1u);
  EXPECT_GT(found.estimates[0].high, 0.007);
}

TEST(UnevenLight, AFixedKeyStays) {
  SceneSpec scene = parse_scene("[background]\ngradient = 0.3\n", "scene");
  const Asked asked{{"background.gradient", "background.gradient_degrees"}};
  const FieldFit none;
  Findings found;
  find_gradient({sloping(7, 8), sloping(0, 0), none, none, 20}, asked.task, scene, found);
  EXPECT_EQ(scene.background.gradient, 0.3);
  EXPECT_TRUE(found.estimates.empty());
}

TEST(UnevenLight, ABackgroundThatIsMostlyUnevenHasObjectsWithoutALabel) {
  SceneSpec scene = parse_scene("", "scene");
  FieldFit real, even;
  real.deviation_dn = {15, 12, 18};
  real.evidence = 50;
  Findings found;
  find_field({sloping(0, 0), sloping(0, 0), real, even, 20}, Asked{}.task, scene, found);
  EXPECT_EQ(scene.background.field_deviation, 0);
  EXPECT_EQ(found.untold.size(), 1u);
}

TEST(UnevenLight, AFieldIsWhatHazeDoesNotMake) {
  SceneSpec scene = parse_scene("", "scene");
  FieldFit real, even;
  real.deviation_dn = {5, 4, 7};
  real.length_um = {11, 9, 14};
  real.evidence = 50;
  even.deviation_dn = {3, 2, 3.9};
  Findings found;
  find_field({sloping(0, 0), sloping(0, 0), real, even, 20}, Asked{}.task, scene, found);
  EXPECT_DOUBLE_EQ(scene.background.field_deviation, 4.0 / 20);
  EXPECT_DOUBLE_EQ(scene.background.field_um, 11);
  even.deviation_dn.high = 4.1;  // such a haze may be all
  find_field({sloping(0, 0), sloping(0, 0), real, even, 20}, Asked{}.task, scene, found);
  EXPECT_EQ(scene.background.field_deviation, 0);
}

}  // namespace
}  // namespace synthoscope::fit
