// SPDX-License-Identifier: MIT
// studio/form/channel_blocks.hpp — channels are added to the text of a scene and removed from it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace synthoscope::studio {

/// Returns the text of a scene with a channel more, after the last one: a copy of it with another
/// name. The first channel sees the light that the scene shows without channels, so that the image
/// stays as it is; the keys of [light] move into it.
/// @throws InvalidSpec  the text is not TOML, its channels are not written as [[channel]], or it is
///                      no scene.
std::string add_channel(std::string_view toml);

/// Returns the text of a scene without the channel at this place, from 0, and without the comments
/// directly above it.
/// @throws InvalidSpec  there is no such channel, the text is not TOML, or its channels are not
///                      written as [[channel]].
std::string remove_channel(std::string_view toml, std::size_t channel);

}  // namespace synthoscope::studio
