// SPDX-License-Identifier: MIT
#include "studio/stages.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <string_view>

namespace synthoscope::studio {
namespace {

struct StageOfName {
  std::string_view name;
  Stage stage;
};

/// Keys whose stage is not that of their table.
constexpr StageOfName kSingleKeys[] = {
    {"optics.oversample", Stage::light},      // light is rendered on a finer grid
    {"camera.exposure_seconds", Stage::dose}  // photons may be counted per second
};

/// Tables that begin later than the phantom: all others describe objects and where they are seen.
constexpr StageOfName kTables[] = {
    {"light", Stage::light},   {"medium", Stage::optics},     {"pattern", Stage::optics},
    {"optics", Stage::optics}, {"illumination", Stage::dose}, {"background", Stage::background},
    {"camera", Stage::camera}, {"output", Stage::other},
};

}  // namespace

Stage stage_of(const simulator::SceneKey& key) {
  for (const auto& [name, stage] : kSingleKeys)
    if (name == key.full_name()) return stage;
  for (const auto& [table, stage] : kTables)
    if (table == key.table) return stage;
  return Stage::phantom;
}

std::string values_of(const simulator::SceneSpec& scene, const std::vector<Stage>& stages) {
  std::string text;
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    if (std::find(stages.begin(), stages.end(), stage_of(key)) == stages.end()) continue;
    // Sizes that were not given may be fitted to the grid
    const bool is_given = scene.given.contains(key.full_name());
    text += fmt::format("{} {} {}\n", key.full_name(), is_given ? "=" : "is",
                        simulator::toml_of(key.get(scene)));
  }
  return text;
}

}  // namespace synthoscope::studio
