// SPDX-License-Identifier: MIT
#include "studio/form/stages.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include "core/base/error.hpp"

namespace synthoscope::studio {
namespace {

/// A table, or one of its keys whose stage is another. The empty name is the top of a scene.
struct StageRow {
  std::string_view name;
  Stage stage;
};

constexpr auto kStages = std::to_array<StageRow>({
    {"", Stage::phantom},
    {"grid", Stage::phantom},
    {"nuclei", Stage::phantom},
    {"cells", Stage::phantom},
    {"beads", Stage::phantom},
    {"target", Stage::phantom},
    {"volume", Stage::phantom},
    {"tissue", Stage::phantom},
    {"neuron", Stage::phantom},
    {"adherent", Stage::phantom},
    {"time", Stage::phantom},
    {"light", Stage::phantom},
    {"background", Stage::background},
    {"medium", Stage::optics},
    {"illumination", Stage::dose},
    {"pattern", Stage::optics},  // stripes, before the blur
    {"optics", Stage::optics},
    {"optics.oversample", Stage::phantom},  // of the grid that light is rendered on
    {"camera", Stage::camera},
    {"camera.exposure_seconds", Stage::dose},  // if illumination.photons_per is "second"
    {"camera.preset", Stage::dose},            // chooses the exposure
    {"output", Stage::other},
});

const StageRow* row_of(std::string_view name) {
  const auto* const row =
      std::find_if(kStages.begin(), kStages.end(), [&](auto& one) { return one.name == name; });
  return row == kStages.end() ? nullptr : row;
}

bool chooses_dose_by_snr(const simulator::SceneSpec& scene) {
  const auto is_snr = [](const auto& key) { return key.first == "illumination.snr"; };
  return scene.illumination.snr ||
         std::any_of(scene.channels.begin(), scene.channels.end(),
                     [&](const simulator::ChannelSpec& channel) {
                       return std::any_of(channel.keys.begin(), channel.keys.end(), is_snr);
                     });
}

}  // namespace

Stage stage_of(const simulator::SceneKey& key) {
  if (const StageRow* const own = row_of(key.full_name())) return own->stage;
  if (const StageRow* const of_table = row_of(key.table)) return of_table->stage;
  throw InvalidSpec(fmt::format(
      "find the stage that {} changes: [{}] is not in the table of stages; report this as a defect",
      key.full_name(), key.table));
}

Stage stage_in(const simulator::SceneSpec& scene, const simulator::SceneKey& key) {
  const Stage stage = stage_of(key);
  const bool follows_dose = stage == Stage::background || stage == Stage::camera;
  return follows_dose && chooses_dose_by_snr(scene) ? Stage::dose : stage;
}

std::vector<std::string> idle_stage_names() {
  std::vector<std::string> idle;
  const auto& keys = simulator::scene_keys();
  for (const StageRow& row : kStages)
    if (std::none_of(keys.begin(), keys.end(), [&](const simulator::SceneKey& key) {
          return key.table == row.name || key.full_name() == row.name;
        }))
      idle.emplace_back(row.name);
  return idle;
}

}  // namespace synthoscope::studio
