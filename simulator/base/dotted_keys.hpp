// SPDX-License-Identifier: MIT
// simulator/base/dotted_keys.hpp — keys of TOML such as a.b.c, which nest tables.
#pragma once
#include <cstddef>
#include <string_view>

namespace synthoscope::simulator {

inline constexpr int kMostKeyParts = 8;  ///< keys of scenes have fewer

/// Returns where in TOML a key of more than kMostKeyParts parts begins, or npos. Tables of such a
/// key would nest so deep that recursive parsers run out of stack.
/// @source  TOML 1.0.0, Keys and Strings.
std::size_t deep_key(std::string_view toml);

}  // namespace synthoscope::simulator
