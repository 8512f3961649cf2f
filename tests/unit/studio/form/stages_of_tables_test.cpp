// SPDX-License-Identifier: MIT
// No table and no key of scenes is forgotten among the stages.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene/keys.hpp"
#include "studio/stages.hpp"

namespace synthoscope::studio {
namespace {

struct StageOfTable {
  std::string_view table;
  Stage stage;
};

constexpr StageOfTable kStagesOfTables[] = {
    {"", Stage::phantom},          {"grid", Stage::phantom},          {"nuclei", Stage::phantom},
    {"cells", Stage::phantom},     {"beads", Stage::phantom},         {"target", Stage::phantom},
    {"volume", Stage::phantom},    {"tissue", Stage::phantom},        {"neuron", Stage::phantom},
    {"adherent", Stage::phantom},  {"time", Stage::phantom},          {"light", Stage::light},
    {"medium", Stage::optics},     {"pattern", Stage::optics},        {"optics", Stage::optics},
    {"illumination", Stage::dose}, {"background", Stage::background}, {"camera", Stage::camera},
    {"output", Stage::other},
};

/// Keys whose stage is an earlier one than that of their table.
constexpr StageOfTable kEarlierKeys[] = {
    {"optics.oversample", Stage::light},
    {"camera.exposure_seconds", Stage::dose},
    {"camera.preset", Stage::dose},
};

TEST(StagesOfTables, AreKnownForEveryKey) {
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    const auto* const table = std::find_if(std::begin(kStagesOfTables), std::end(kStagesOfTables),
                                           [&](auto& row) { return row.table == key.table; });
    ASSERT_NE(table, std::end(kStagesOfTables))
        << "the table of " << key.full_name() << " is new: give it a stage, here and in stages.cpp";
    const auto* const own = std::find_if(std::begin(kEarlierKeys), std::end(kEarlierKeys),
                                         [&](auto& row) { return row.table == key.full_name(); });
    EXPECT_EQ(stage_of(key), own == std::end(kEarlierKeys) ? table->stage : own->stage)
        << key.full_name();
  }
}

TEST(StagesOfTables, NameOnlyTablesAndKeysOfScenes) {
  const auto& keys = simulator::scene_keys();
  for (const auto& [name, stage] : kStagesOfTables)
    EXPECT_TRUE(std::any_of(keys.begin(), keys.end(), [&](auto& key) { return key.table == name; }))
        << name;
  for (const auto& [name, stage] : kEarlierKeys)
    EXPECT_NE(simulator::find_key(name), nullptr) << name;
}

}  // namespace
}  // namespace synthoscope::studio
