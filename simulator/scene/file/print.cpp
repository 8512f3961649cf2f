// SPDX-License-Identifier: MIT
// simulator/scene/file/print.cpp — a scene as TOML and JSON.
#include <algorithm>
#include "core/base/json.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the keys in which the channel differs from the scene: put in place of the scene's, they
/// give the whole channel.
Json json_of_channel(const SceneSpec& scene, const Channel& channel) {
  Json json = Json::object();
  json["name"] = channel.name;
  for (const SceneKey& key : scene_keys())
    if (const auto value = key.get(channel.scene); value != key.get(scene))
      json[key.table][key.name] = json_of(value);
  return json;
}

}  // namespace

Json json_of(const SceneValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      value);
}

// JSON writes numbers, switches, arrays and escaped strings as TOML does
std::string toml_of(const SceneValue& value) {
  if (const auto* three = std::get_if<ThreeNumbers>(&value))
    return fmt::format("[{}, {}, {}]", (*three)[0], (*three)[1], (*three)[2]);
  if (const auto* three = std::get_if<ThreeIntegers>(&value))
    return fmt::format("[{}, {}, {}]", (*three)[0], (*three)[1], (*three)[2]);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return text_of(json_of(value));
}

std::string to_toml(const SceneSpec& scene) {
  return to_toml(scene, std::vector<std::string>{});
}

std::vector<std::string> keys_chosen_by_channels(const SceneSpec& scene) {
  std::vector<std::string> chosen;
  for (const ChannelSpec& channel : scene.channels)
    for (const auto& [name, value] : channel.keys)
      if (const SceneKey& chooser = *find_key(name); chooser.chooses_defaults)
        for (auto& key : keys_not_given(scene, chooser.table)) chosen.push_back(std::move(key));
  return chosen;
}

std::string to_toml(const SceneSpec& scene, const std::vector<std::string>& chosen) {
  std::string text, table;
  std::vector<std::string> open = keys_chosen_by_channels(scene);
  open.insert(open.end(), chosen.begin(), chosen.end());
  for (const SceneKey& key : scene_keys()) {
    if (key.table != table) text += fmt::format("\n[{}]\n", key.table);
    table = key.table;
    const auto value = key.get(scene);
    if (std::holds_alternative<std::monostate>(value))
      text += fmt::format("# {} is not set: {}\n", key.name, key.absent);
    else
      text += fmt::format(
          "{}{} = {}\n",
          std::find(open.begin(), open.end(), key.full_name()) == open.end() ? "" : "# ", key.name,
          toml_of(value));
  }
  for (const ChannelSpec& channel : scene.channels) {
    text += fmt::format("\n[[channel]]\nname = \"{}\"\n", channel.name);
    for (const auto& [name, value] : channel.keys)
      text += fmt::format("{} = {}\n", name, toml_of(value));
  }
  return text;
}

std::string to_json(const SceneSpec& scene) {
  Json json = Json::object();
  for (const SceneKey& key : scene_keys()) {
    Json& place = key.table.empty() ? json : json[key.table];
    place[key.name] = json_of(key.get(scene));
  }
  if (!scene.channels.empty())
    for (const Channel& channel : channels_of(scene))
      json["channel"].push_back(json_of_channel(scene, channel));
  return text_of(json);
}

}  // namespace synthoscope::simulator
