// SPDX-License-Identifier: MIT
// simulator/scene_file.hpp — scenes and cameras as TOML, with units in the names of the keys.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene.hpp"

namespace synthoscope::simulator {

/// Reads a scene. Keys that the file leaves out keep their defaults; relative paths of other
/// files are taken from the file's folder.
/// @throws IoError      the file is missing or cannot be read.
/// @throws InvalidSpec  not TOML, an unknown key (with the nearest known ones), a wrong type, a
///                      wrong unit in a key's name, a value out of range; says file and line.
SceneSpec read_scene(const std::filesystem::path& path);

/// The same for whoever makes the sets of its [sweep] and judges them one by one: values are not
/// judged together, since a key may be right with a swept value alone.
SceneSpec read_scene_of_sweep(const std::filesystem::path& path);

/// The same as read_scene from text; `name` stands for the file in messages. Where nobody sees the
/// text's lines they are not told.
SceneSpec parse_scene(std::string_view toml, std::string_view name, bool has_lines = true);

/// A camera, and the channel word of its noise.
struct ChannelCamera {
  CameraSpec camera;
  std::uint32_t channel = 0;
  std::string name;             ///< of the channel, where the scene has any
  std::size_t of_channels = 0;  ///< how many it has
};

/// Reads a camera: the keys of a scene's [camera], at the top of the file or under [camera]; of a
/// scene with channels that of `channel`, or of the first.
/// @throws as read_scene; InvalidSpec too where there is no channel of that name.
ChannelCamera read_camera(const std::filesystem::path& path,
                          const std::optional<std::string>& channel = std::nullopt);

/// The same from text.
ChannelCamera parse_camera(std::string_view toml, std::string_view name, bool has_lines = true,
                           const std::optional<std::string>& channel = std::nullopt);

/// Sets one key from "optics.na=1.2". The value is TOML; a bare word is taken as a string.
/// @throws InvalidSpec as read_scene, naming the override instead of a line.
void apply_override(SceneSpec& scene, std::string_view assignment);

/// "optics.na" of "optics.na=1.2", without blanks around it.
std::string overridden_key(std::string_view assignment);

/// The effective scene with every key, as TOML that parse_scene reads back to an equal scene.
std::string to_toml(const SceneSpec& scene);

/// The same, with the keys `chosen` as comments, whose values follow from others. So are keys that
/// were not given where a channel chooses their defaults.
std::string to_toml(const SceneSpec& scene, const std::vector<std::string>& chosen);

/// Full names of the keys that were not given and whose defaults a channel chooses: what the file
/// leaves as comments.
std::vector<std::string> keys_chosen_by_channels(const SceneSpec& scene);

/// The same as compact JSON: one object per table, keys as in TOML, absent keys null.
std::string to_json(const SceneSpec& scene);

/// The reference of all keys in Markdown: name, type, default, unit, range, meaning.
std::string scene_reference_markdown();

}  // namespace synthoscope::simulator
