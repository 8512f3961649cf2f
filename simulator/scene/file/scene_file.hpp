// SPDX-License-Identifier: MIT
// simulator/scene/file/scene_file.hpp — scenes and cameras as TOML, with units in the names of the
// keys.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Reads a scene. Keys that the file leaves out keep their defaults; relative paths of other
/// files are taken from the file's folder.
/// @throws IoError      the file is missing or cannot be read.
/// @throws InvalidSpec  not TOML, an unknown key (with the nearest known ones), a wrong type, a
///                      wrong unit in a key's name, a value out of range; says file and line.
SceneSpec read_scene(const std::filesystem::path& path);

/// Reads a scene for callers that make the sets of its [sweep] and check them one by one: values
/// are not checked together, since a key may be right only with a swept value.
SceneSpec read_scene_of_sweep(const std::filesystem::path& path);

/// Returns what read_scene_of_sweep returns if `path`, which need not exist, has the text `toml`.
SceneSpec parse_scene_of_sweep(std::string_view toml, const std::filesystem::path& path);

/// Reads a scene from text; messages call it `name`, and leave out lines unless `has_lines` is set.
SceneSpec parse_scene(std::string_view toml, std::string_view name, bool has_lines = true);

/// A camera, and the channel word of its noise.
struct ChannelCamera {
  CameraSpec camera;
  std::uint32_t channel = 0;
  std::string name;             ///< of the channel, if the scene has any
  std::size_t of_channels = 0;  ///< number of channels
};

/// Reads a camera: the keys of a scene's [camera], at the top of the file or under [camera]; in a
/// scene with channels the camera of `channel`, or of the first.
/// @throws as read_scene; also InvalidSpec if there is no channel of that name.
ChannelCamera read_camera(const std::filesystem::path& path,
                          const std::optional<std::string>& channel = std::nullopt);

/// Reads a camera from text.
ChannelCamera parse_camera(std::string_view toml, std::string_view name, bool has_lines = true,
                           const std::optional<std::string>& channel = std::nullopt);

/// Sets one key from "optics.na=1.2". The value is TOML; a bare word is taken as a string.
/// @throws InvalidSpec as read_scene, naming the override instead of a line.
void apply_override(SceneSpec& scene, std::string_view assignment);

/// Returns "optics.na" for "optics.na=1.2", without blanks around it.
std::string overridden_key(std::string_view assignment);

/// Returns the effective scene with every key, as TOML that parse_scene reads back to an equal
/// scene.
std::string to_toml(const SceneSpec& scene);

/// Returns the same, with the keys `chosen` as comments, since their values follow from others.
/// Keys that were not given and whose defaults a channel chooses are comments as well.
std::string to_toml(const SceneSpec& scene, const std::vector<std::string>& chosen);

/// Returns the same for a file in `folder`: relative to it, the files that the scene names are
/// where they are relative to the current folder.
std::string runnable_toml(SceneSpec scene, const std::filesystem::path& folder);

/// Returns the full names of keys that were not given and whose defaults a channel chooses, which
/// to_toml writes as comments.
std::vector<std::string> keys_chosen_by_channels(const SceneSpec& scene);

/// Returns the same as compact JSON: one object per table, keys as in TOML, absent keys null.
std::string to_json(const SceneSpec& scene);

/// Returns the reference of all keys in Markdown: name, type, default, unit, range, meaning.
std::string scene_reference_markdown();

}  // namespace synthoscope::simulator
