// SPDX-License-Identifier: MIT
#include "simulator/scene/channels.hpp"
#include <algorithm>
#include <cctype>
#include <map>
#include <utility>
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the scene with the keys of `channel`. Keys that set others are set first.
SceneSpec scene_in(const SceneSpec& scene, const ChannelSpec& channel) {
  SceneSpec seen = scene;
  seen.channels.clear();
  seen.light = no_light();
  for (const bool chooses : {true, false})
    for (const auto& [name, value] : channel.keys)
      if (const SceneKey& key = *find_key(name); key.chooses_defaults == chooses) try {
          give(seen, key, value);
        } catch (const InvalidSpec& problem) {
          throw InvalidSpec(fmt::format("channel {}: {} {}", channel.name, name, problem.what()));
        }
  return seen;
}

std::string names_of_channels(const SceneSpec& scene) {
  std::vector<std::string> names;
  for (const auto& channel : scene.channels) names.push_back(channel.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string light_keys() {
  std::vector<std::string> keys;
  for (const auto& kind : kLightKinds) keys.push_back(fmt::format("light.{}", kind.name));
  return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

void refuse_channel(const SceneSpec& scene, const std::string& name) {
  if (scene.channels.empty())
    throw InvalidSpec(fmt::format(
        "there is no channel {}: the scene has no [[channel]]; leave the channel out", name));
  throw InvalidSpec(
      fmt::format("there is no channel {}; the scene has {}", name, names_of_channels(scene)));
}

bool is_channel_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestChannelName &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (std::isalnum(c) != 0 && c < 128) || c == '-' || c == '_';
         });
}

std::vector<Channel> channels_of(const SceneSpec& scene, const std::optional<std::string>& only) {
  if (scene.channels.empty() && !only) return {{"", 0, scene}};
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < scene.channels.size(); ++i)
    if (!only || scene.channels[i].name == *only)
      channels.push_back({scene.channels[i].name, static_cast<std::uint32_t>(i),
                          scene_in(scene, scene.channels[i])});
  if (channels.empty()) refuse_channel(scene, *only);
  return channels;
}

std::vector<std::string> imaged_names(const SceneSpec& scene,
                                      const std::optional<std::string>& only) {
  std::vector<std::string> names;
  for (const Channel& channel : channels_of(scene, only))
    if (!channel.name.empty()) names.push_back(channel.name);
  return names;
}

Channel channel_of(const SceneSpec& scene, const std::optional<std::string>& only) {
  return channels_of(scene, only).front();
}

void require_valid_channels(const SceneSpec& scene) {
  const auto refuse = [](const std::string& problem) {
    throw InvalidSpec("check the scene: " + problem);
  };
  if (scene.channels.empty()) return;
  if (scene.channels.size() > kMaxChannels)
    refuse(fmt::format("it has {} channels, but at most {} are possible", scene.channels.size(),
                       kMaxChannels));
  if (!(scene.light == LightSpec{}))
    refuse(
        "[light] is for scenes without channels, and each channel names the light that it sees; "
        "write light keys only below [[channel]]");
  std::map<std::string, std::string> names;  // as written, by the name in lower case
  for (const ChannelSpec& channel : scene.channels) {
    if (!is_channel_name(channel.name))
      refuse(
          fmt::format("a channel is called \"{}\"; give a name of 1 to {} letters, digits, - and "
                      "_, since it is part of file names",
                      channel.name, kLongestChannelName));
    if (const auto [other, is_new] = names.emplace(lower_case(channel.name), channel.name); !is_new)
      refuse(
          fmt::format("two channels are called {} and {}, which many file systems treat as one "
                      "name; give each a different name",
                      other->second, channel.name));
    const bool names_light =
        std::any_of(channel.keys.begin(), channel.keys.end(),
                    [](const auto& key) { return key.first.starts_with("light."); });
    if (!names_light)
      refuse(
          fmt::format("channel {} names no light, so it would see nothing; give it some of {}, "
                      "with 1 for light that it records in full",
                      channel.name, light_keys()));
  }
}

}  // namespace synthoscope::simulator
