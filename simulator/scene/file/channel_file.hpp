// SPDX-License-Identifier: MIT
// simulator/scene/file/channel_file.hpp — the tables [[channel]] of a scene file.
#pragma once
#include <string_view>
#include <vector>
#include "simulator/scene/file/toml.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

inline constexpr std::string_view kChannelTable = "channel";

/// Reads the channels of tables such as
///
///     [[channel]]
///     name = "gfp"
///     optics.wavelength_nm = 510
///     light.beads = 1
///
/// @throws InvalidSpec  it is no array of tables, a channel has no name, a key does not exist or is
///                      the same in all channels, or a value is wrong: says the channel and the
///                      line.
std::vector<ChannelSpec> channels_in(const toml::node& tables, const TomlPlace& place);

}  // namespace synthoscope::simulator
