// SPDX-License-Identifier: MIT
// simulator/scene/key_place.hpp — keys by their full names, of a scene or of one of its channels.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {

/// A key of a scene, or of one of its channels: "optics.na", "channel.gfp.optics.na".
struct KeyPlace {
  std::string channel;  ///< empty: the scene itself
  const SceneKey* key = nullptr;
  [[nodiscard]] std::string full_name() const;
};

/// Returns the channel and the rest of "channel.gfp.optics.na"; nothing if it does not begin so.
std::optional<std::pair<std::string, std::string>> split_channel_key(std::string_view full_name);

/// Returns the key of a full name; nothing if there is no such key.
std::optional<KeyPlace> find_place(std::string_view full_name);

/// Returns whether a channel may have another value of `key` than the scene.
bool may_differ_in_channels(const SceneKey& key);

/// @throws InvalidSpec  "there is no channel gfp; ...", or `key` is the same in all channels.
void set_value(SceneSpec& scene, const KeyPlace& place, const SceneValue& value);

/// Gives `key` its own value in `channel`.
/// @throws InvalidSpec  it is the same in all channels.
void set_in_channel(ChannelSpec& channel, const SceneKey& key, const SceneValue& value);

}  // namespace synthoscope::simulator
