// SPDX-License-Identifier: MIT
#include "simulator/scene/key_place.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kChannelPrefix = "channel.";

/// Tables whose keys may differ in a channel; objects, positions and times are the same in all.
constexpr std::array<std::string_view, 6> kTablesOfChannels{"light",   "background", "illumination",
                                                            "pattern", "optics",     "camera"};

}  // namespace

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

bool may_differ_in_channels(const SceneKey& key) {
  return std::find(kTablesOfChannels.begin(), kTablesOfChannels.end(), key.table) !=
         kTablesOfChannels.end();
}

void set_in_channel(ChannelSpec& channel, const SceneKey& key, const SceneValue& value) {
  if (!may_differ_in_channels(key))
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
  if (place.channel.empty()) try {
      return give(scene, *place.key, value);
    } catch (const InvalidSpec& problem) {
      throw InvalidSpec(fmt::format("{} {}", place.full_name(), problem.what()));
    }
  for (ChannelSpec& channel : scene.channels)
    if (channel.name == place.channel) return set_in_channel(channel, *place.key, value);
  refuse_channel(scene, place.channel);
}

}  // namespace synthoscope::simulator
