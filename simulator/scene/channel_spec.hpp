// SPDX-License-Identifier: MIT
// simulator/scene/channel_spec.hpp — a channel of a scene: its name, and the keys that differ from
// the scene.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "simulator/base/key_value.hpp"

namespace synthoscope::simulator {

inline constexpr std::size_t kMostChannels = 32, kLongestChannelName = 32;

/// A channel. Its keys, each with its table, have other values than in the scene and are in the
/// order of the reference. Kinds of objects whose light they do not name are dark in the channel.
struct ChannelSpec {
  std::string name;  ///< letters, digits, - and _; also used in file names
  std::vector<std::pair<std::string, SceneValue>> keys;
  friend bool operator==(const ChannelSpec&, const ChannelSpec&) = default;
};

}  // namespace synthoscope::simulator
