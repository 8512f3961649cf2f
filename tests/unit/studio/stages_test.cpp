// SPDX-License-Identifier: MIT
#include "studio/stages.hpp"
#include <gtest/gtest.h>

namespace synthoscope::studio {
namespace {

struct StageCase {
  const char* key;
  Stage stage;
};
constexpr StageCase kStages[] = {
    {"seed", Stage::phantom},
    {"grid.size", Stage::phantom},
    {"nuclei.count", Stage::phantom},
    {"time.bleaching_seconds", Stage::phantom},
    {"light.beads", Stage::light},
    {"optics.oversample", Stage::light},
    {"optics.na", Stage::optics},
    {"medium.emission_length_um", Stage::optics},
    {"pattern.kind", Stage::optics},
    {"illumination.dose", Stage::dose},
    {"camera.exposure_seconds", Stage::dose},
    {"background.gradient", Stage::background},
    {"camera.binning", Stage::camera},
    {"output.light", Stage::other},
};

TEST(StageOfKey, IsTheFirstThatItChanges) {
  for (const auto& [name, stage] : kStages) {
    const simulator::SceneKey* key = simulator::find_key(name);
    ASSERT_NE(key, nullptr) << name;
    EXPECT_EQ(stage_of(*key), stage) << name;
  }
}

TEST(ValuesOfStages, DifferByTheKeysOfTheseStagesOnly) {
  const simulator::SceneSpec before;
  simulator::SceneSpec after = before;
  give(after, *simulator::find_key("optics.na"), 1.1);
  EXPECT_NE(values_of(before, {Stage::optics}), values_of(after, {Stage::optics}));
  EXPECT_EQ(values_of(before, {Stage::phantom, Stage::camera}),
            values_of(after, {Stage::phantom, Stage::camera}));
}

}  // namespace
}  // namespace synthoscope::studio
