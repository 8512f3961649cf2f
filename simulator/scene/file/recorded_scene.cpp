// SPDX-License-Identifier: MIT
#include "simulator/scene/file/recorded_scene.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace synthoscope::simulator {
namespace {

bool is_list_of_tables(const Json& value) {
  return value.is_array() && !value.empty() && value.front().is_object();
}

/// Returns a line for each key that has a value: JSON writes numbers, switches, arrays and text as
/// TOML does.
std::string lines_of(const Json& table, const std::string& before = "") {
  std::string text;
  for (const auto& [key, value] : table.items())
    if (!value.is_null() && !value.is_object() && !is_list_of_tables(value))
      text += fmt::format("{}{} = {}\n", before, key, text_of(value));
  return text;
}

/// Returns all light of a channel. Its record leaves out what is as in the scene, but a file that
/// leaves out a kind of objects makes it dark.
Json light_of(const Json& scene, const Json& channel) {
  Json light = scene.at("light");
  if (channel.contains("light")) light.update(channel.at("light"));
  return light;
}

}  // namespace

std::string toml_of_record(const Json& scene) {
  std::string text = lines_of(scene);
  for (const auto& [name, table] : scene.items())
    if (table.is_object()) text += fmt::format("[{}]\n{}", name, lines_of(table));
  if (!scene.contains("channel")) return text;
  for (const Json& channel : scene.at("channel")) {
    text += "[[channel]]\n" + lines_of(channel) + lines_of(light_of(scene, channel), "light.");
    for (const auto& [name, table] : channel.items())
      if (table.is_object() && name != "light") text += lines_of(table, name + ".");
  }
  return text;
}

std::string scene_of_record(std::string_view record, std::string_view name) {
  const auto json = try_parse_json(record);
  const bool is_record =
      json && json->is_object() && json->contains("scene") && json->at("scene").is_object();
  if (!is_record)
    throw InvalidSpec(fmt::format(
        "read {}: it is not the scene.json of a data set; give that, or a scene in TOML", name));
  try {
    return toml_of_record(json->at("scene"));
  } catch (const Json::exception&) {
    throw InvalidSpec(fmt::format(
        "read {}: its scene is not what a simulation writes; give a scene in TOML", name));
  }
}

}  // namespace synthoscope::simulator
