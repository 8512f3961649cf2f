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

/// Their names; none of a scene without channels.
std::vector<std::string> imaged_names(const SceneSpec& scene,
                                      const std::optional<std::string>& only);

/// The first of them: what commands make that make one stack.
Channel channel_of(const SceneSpec& scene, const std::optional<std::string>& only);

/// @throws InvalidSpec  always: there is no channel of that name, says which there are.
[[noreturn]] void refuse_channel(const SceneSpec& scene, const std::string& name);

/// 1 to kLongestChannelName letters, digits, - and _.
bool is_channel_name(std::string_view name);

/// @throws InvalidSpec  too many channels, a name that is none or is there twice, one that names no
///                      light, or light that no channel would see.
void require_valid_channels(const SceneSpec& scene);

}  // namespace synthoscope::simulator
