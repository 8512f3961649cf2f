// SPDX-License-Identifier: MIT
// simulator/channel_spec.hpp — a channel of a scene: its name, and what is other in it.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "simulator/key_value.hpp"

namespace synthoscope::simulator {

inline constexpr std::size_t kMostChannels = 32, kLongestChannelName = 32;

/// The keys, each with its table, that have another value in the channel than in the scene, in the
/// order of the reference. Kinds of objects whose light they do not name are dark in it.
struct ChannelSpec {
  std::string name;  ///< letters, digits, - and _; of files, too
  std::vector<std::pair<std::string, SceneValue>> keys;
  friend bool operator==(const ChannelSpec&, const ChannelSpec&) = default;
};

}  // namespace synthoscope::simulator
