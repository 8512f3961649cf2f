// SPDX-License-Identifier: MIT
// simulator/scene/channels.hpp — the images that are taken of a frame: one per channel, each with
// its own scene.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// A channel, or a scene that has none.
struct Channel {
  std::string name;          ///< empty: the scene has no channels
  std::uint32_t number = 0;  ///< in the scene; selects the noise
  SceneSpec scene;           ///< with the keys of the channel, and without channels

  /// Returns "channel gfp"; empty for a scene without channels.
  [[nodiscard]] std::string description() const { return name.empty() ? "" : "channel " + name; }
};

/// Returns the channels of a scene in order, or `only` one of them; the scene itself if it has
/// none.
/// @throws InvalidSpec  there is no channel `only`: lists the channels.
std::vector<Channel> channels_of(const SceneSpec& scene,
                                 const std::optional<std::string>& only = std::nullopt);

/// Returns the names of the channels that channels_of returns; empty for a scene without channels.
std::vector<std::string> imaged_names(const SceneSpec& scene,
                                      const std::optional<std::string>& only);

/// Returns the first channel that channels_of returns, for commands that make one stack.
Channel channel_of(const SceneSpec& scene, const std::optional<std::string>& only);

/// @throws InvalidSpec  always: there is no channel `name`; lists the channels.
[[noreturn]] void refuse_channel(const SceneSpec& scene, const std::string& name);

/// Returns whether a name has 1 to kLongestChannelName letters, digits, - and _.
bool is_channel_name(std::string_view name);

/// @throws InvalidSpec  there are too many channels, a name is not valid or occurs twice, a channel
///                      names no light, or the scene has light keys, which no channel would use.
void require_valid_channels(const SceneSpec& scene);

}  // namespace synthoscope::simulator
