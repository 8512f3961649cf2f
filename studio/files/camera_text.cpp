// SPDX-License-Identifier: MIT
#include "studio/files/camera_text.hpp"
#include <algorithm>
#include "core/base/json.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/toml.hpp"
#include "simulator/scene/keys.hpp"
#include "studio/form/set_key.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::string_view kCamera = "camera";

/// Returns the table with the keys of a camera: [camera], otherwise the top of the file.
const toml::table& keys_of(const toml::table& file) {
  const toml::table* const camera = file[kCamera].as_table();
  return camera ? *camera : file;
}

bool is_camera_key(const std::string& name) {
  return simulator::find_key(std::string{kCamera} + "." + name) != nullptr;
}

}  // namespace

bool is_camera_text(std::string_view text, std::string_view name) {
  const toml::table file = simulator::parsed_toml(text, {std::string{name}, true});
  const auto entries = simulator::entries_in_order(file);
  return !entries.empty() && std::ranges::all_of(entries, [](const simulator::TomlEntry& entry) {
    return entry.name() == kCamera || is_camera_key(entry.name());
  });
}

std::string with_camera(std::string scene, std::string_view camera, std::string_view name) {
  simulator::SceneSpec values;
  values.camera = simulator::parse_camera(camera, name).camera;
  const toml::table file = simulator::parsed_toml(camera, {std::string{name}, true});
  const toml::table& given = keys_of(file);
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    if (key.table != kCamera) continue;
    const bool is_given = given.contains(key.name);
    scene = set_key(scene, key.full_name(),
                    is_given ? simulator::json_of(key.get(values)) : Json(nullptr));
  }
  return scene;
}

}  // namespace synthoscope::studio
