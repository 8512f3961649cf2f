// SPDX-License-Identifier: MIT
#include "studio/form/stages.hpp"
#include <gtest/gtest.h>
#include <string>
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::studio {
namespace {

TEST(Stages, EveryKeyHasOne) {
  for (const simulator::SceneKey& key : simulator::scene_keys())
    EXPECT_NO_THROW(static_cast<void>(stage_of(key))) << key.full_name();
}

TEST(Stages, NameOnlyTablesAndKeysOfScenes) {
  EXPECT_EQ(idle_stage_names(), std::vector<std::string>{});
}

TEST(Stages, RefuseATableThatHasNone) {
  simulator::SceneKey key;
  key.table = "later";
  key.name = "na";
  EXPECT_THROW(static_cast<void>(stage_of(key)), InvalidSpec);
}

struct StageCase {
  const char* key;
  Stage stage, with_snr;  ///< in a scene with a dose, and in one with illumination.snr
};

constexpr StageCase kStageCases[] = {
    {"seed", Stage::phantom, Stage::phantom},
    {"grid.pitch_nm", Stage::phantom, Stage::phantom},
    {"nuclei.count", Stage::phantom, Stage::phantom},
    {"time.bleaching_seconds", Stage::phantom, Stage::phantom},
    {"light.nuclei", Stage::phantom, Stage::phantom},
    {"medium.emission_length_um", Stage::optics, Stage::optics},
    {"pattern.contrast", Stage::optics, Stage::optics},
    {"optics.na", Stage::optics, Stage::optics},
    {"optics.oversample", Stage::phantom, Stage::phantom},
    {"illumination.dose", Stage::dose, Stage::dose},
    {"illumination.falloff", Stage::dose, Stage::dose},
    {"camera.exposure_seconds", Stage::dose, Stage::dose},
    {"camera.preset", Stage::dose, Stage::dose},
    {"background.photons_per_pixel", Stage::background, Stage::dose},
    {"camera.kind", Stage::camera, Stage::dose},
    {"camera.read_noise_electrons", Stage::camera, Stage::dose},
    {"output.light", Stage::other, Stage::other},
};

TEST(Stages, AreTheFirstThatAKeyChanges) {
  const auto with_dose = simulator::parse_scene("seed = 1", "a scene");
  const auto with_snr = simulator::parse_scene("illumination.snr = 5", "a scene");
  const auto in_channel = simulator::parse_scene(
      "[[channel]]\nname = \"a\"\nlight.nuclei = 1\nillumination.snr = 5", "a scene");
  for (const auto& [name, stage, stage_with_snr] : kStageCases) {
    const simulator::SceneKey* const key = simulator::find_key(name);
    ASSERT_NE(key, nullptr) << name;
    EXPECT_EQ(stage_of(*key), stage) << name;
    EXPECT_EQ(stage_in(with_dose, *key), stage) << name;
    EXPECT_EQ(stage_in(with_snr, *key), stage_with_snr) << name;
    EXPECT_EQ(stage_in(in_channel, *key), stage_with_snr) << name;
  }
}

}  // namespace
}  // namespace synthoscope::studio
