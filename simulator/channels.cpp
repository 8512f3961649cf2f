// SPDX-License-Identifier: MIT
#include "simulator/channels.hpp"
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kChannelPrefix = "channel.";

/// Tables whose keys may be other in a channel: what is there, where and when is the same in all.
constexpr std::array<std::string_view, 6> kTablesOfChannels{"light",   "background", "illumination",
                                                            "pattern", "optics",     "camera"};

/// The scene as `channel` has it. Keys that set others come first.
SceneSpec scene_in(const SceneSpec& scene, const ChannelSpec& channel) {
  SceneSpec seen = scene;
  seen.channels.clear();
  seen.light = no_light();
  for (const bool chooses : {true, false})
    for (const auto& [name, value] : channel.keys)
      if (const SceneKey& key = *find_key(name); key.chooses_defaults == chooses)
        key.set(seen, value);
  return seen;
}

std::string names_of_channels(const SceneSpec& scene) {
  std::vector<std::string> names;
  for (const auto& channel : scene.channels) names.push_back(channel.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse_channel(const SceneSpec& scene, const std::string& name) {
  if (scene.channels.empty())
    throw InvalidSpec(fmt::format(
        "there is no channel {}: the scene has no [[channel]]; leave the channel out", name));
  throw InvalidSpec(
      fmt::format("there is no channel {}; the scene has {}", name, names_of_channels(scene)));
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

Channel channel_of(const SceneSpec& scene, const std::optional<std::string>& only) {
  return channels_of(scene, only).front();
}

void require_valid_channels(const SceneSpec& scene) {
  const auto refuse = [](const std::string& problem) {
    throw InvalidSpec("check the scene: " + problem);
  };
  if (scene.channels.empty()) return;
  if (scene.channels.size() > kMostChannels)
    refuse(fmt::format("it has {} channels, and {} are the most", scene.channels.size(),
                       kMostChannels));
  if (!(scene.light == LightSpec{}))
    refuse(
        "[light] is for scenes without channels, and each channel names the light that it sees; "
        "write light keys below [[channel]] alone");
  std::set<std::string> names;
  for (const ChannelSpec& channel : scene.channels) {
    if (!is_channel_name(channel.name))
      refuse(
          fmt::format("a channel is called \"{}\"; give a name of 1 to {} letters, digits, - "
                      "and _, since files are called after it",
                      channel.name, kLongestChannelName));
    if (!names.insert(lower_case(channel.name)).second)
      refuse(fmt::format("two channels are called {}; give each a name of its own", channel.name));
    const bool names_light =
        std::any_of(channel.keys.begin(), channel.keys.end(),
                    [](const auto& key) { return key.first.starts_with("light."); });
    if (!names_light)
      refuse(
          fmt::format("channel {} names no light, so it would see nothing; give it some of {}, "
                      "1 for light that it sees in full",
                      channel.name, light_keys()));
  }
}

std::string KeyPlace::full_name() const {
  return channel.empty() ? key->full_name()
                         : fmt::format("{}{}.{}", kChannelPrefix, channel, key->full_name());
}

std::optional<std::pair<std::string, std::string>> split_channel_key(std::string_view full_name) {
  if (!full_name.starts_with(kChannelPrefix)) return std::nullopt;
  full_name.remove_prefix(kChannelPrefix.size());
  const auto dot = full_name.find('.');
  if (dot == std::string_view::npos) return std::pair{std::string{full_name}, std::string{}};
  return std::pair{std::string{full_name.substr(0, dot)}, std::string{full_name.substr(dot + 1)}};
}

std::optional<KeyPlace> find_place(std::string_view full_name) {
  const auto parts = split_channel_key(full_name);
  const SceneKey* key = find_key(parts ? std::string_view{parts->second} : full_name);
  if (!key) return std::nullopt;
  return KeyPlace{parts ? parts->first : "", key};
}

void set_in_channel(ChannelSpec& channel, const SceneKey& key, const SceneValue& value) {
  if (std::find(kTablesOfChannels.begin(), kTablesOfChannels.end(), key.table) ==
      kTablesOfChannels.end())
    throw InvalidSpec(fmt::format("{} is the same in all channels; a channel has keys of {}",
                                  key.full_name(), fmt::join(kTablesOfChannels, ", ")));
  const auto comes_before = [](const auto& held, const SceneKey* other) {
    return find_key(held.first) < other;
  };
  const auto place = std::lower_bound(channel.keys.begin(), channel.keys.end(), &key, comes_before);
  if (place != channel.keys.end() && place->first == key.full_name())
    place->second = value;
  else
    channel.keys.insert(place, {key.full_name(), value});
}

void set_value(SceneSpec& scene, const KeyPlace& place, const SceneValue& value) {
  if (place.channel.empty()) return place.key->set(scene, value);
  for (ChannelSpec& channel : scene.channels)
    if (channel.name == place.channel) return set_in_channel(channel, *place.key, value);
  refuse_channel(scene, place.channel);
}

}  // namespace synthoscope::simulator
