// SPDX-License-Identifier: MIT
// simulator/channels.hpp — the images that are taken of a frame: one a channel, each with a scene
// of its own.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene.hpp"
#include "simulator/scene_keys.hpp"

namespace synthoscope::simulator {

/// A channel, or a scene that has none.
struct Channel {
  std::string name;          ///< empty: the scene has no channels
  std::uint32_t number = 0;  ///< in the scene: which noise it has
  SceneSpec scene;           ///< with the keys of the channel, and without channels

  /// "channel gfp", or nothing.
  [[nodiscard]] std::string said() const { return name.empty() ? "" : "channel " + name; }
};

/// The channels of a scene in their order, or `only` one; the scene itself where it has none.
/// @throws InvalidSpec  there is no channel called `only`: says which there are.
std::vector<Channel> channels_of(const SceneSpec& scene,
                                 const std::optional<std::string>& only = std::nullopt);

/// The first of them: what commands make that make one stack.
Channel channel_of(const SceneSpec& scene, const std::optional<std::string>& only);

/// 1 to kLongestChannelName letters, digits, - and _.
bool is_channel_name(std::string_view name);

/// @throws InvalidSpec  too many channels, a name that is none or is there twice, one that names no
///                      light, or light that no channel would see.
void require_valid_channels(const SceneSpec& scene);

/// A key of a scene, or of one of its channels: "optics.na", "channel.gfp.optics.na".
struct KeyPlace {
  std::string channel;  ///< empty: the scene itself
  const SceneKey* key = nullptr;
  [[nodiscard]] std::string full_name() const;
};

/// The channel and the rest of "channel.gfp.optics.na"; none if it does not begin so.
std::optional<std::pair<std::string, std::string>> split_channel_key(std::string_view full_name);

/// Of a full name; none if there is no such key.
std::optional<KeyPlace> find_place(std::string_view full_name);

/// @throws InvalidSpec  "there is no channel gfp; ...", or `key` is the same in all channels.
void set_value(SceneSpec& scene, const KeyPlace& place, const SceneValue& value);

/// Gives `key` a value of its own in `channel`.
/// @throws InvalidSpec  it is the same in all channels.
void set_in_channel(ChannelSpec& channel, const SceneKey& key, const SceneValue& value);

}  // namespace synthoscope::simulator
