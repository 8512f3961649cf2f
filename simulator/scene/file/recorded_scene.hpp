// SPDX-License-Identifier: MIT
// simulator/scene/file/recorded_scene.hpp — the scene that scene.json of a data set holds.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include "core/base/json_fwd.hpp"

namespace synthoscope::simulator {

/// Returns whether a file is read as scene.json instead of TOML. Relative names of files in it are
/// taken from the current folder, as simulate took them.
[[nodiscard]] inline bool is_record(const std::filesystem::path& file) {
  return file.extension() == ".json";
}

/// Returns the entry "scene" of a scene.json as the TOML file that it could be read from.
/// @throws Json::exception  it is not what a simulation writes.
std::string toml_of_record(const Json& scene);

/// Returns the same from the text of a scene.json, which messages call `name`.
/// @throws InvalidSpec  it is none.
std::string scene_of_record(std::string_view record, std::string_view name);

}  // namespace synthoscope::simulator
