// SPDX-License-Identifier: MIT
// simulator/dotted_keys.hpp — keys of TOML such as a.b.c, which nest tables.
#pragma once
#include <cstddef>
#include <string_view>

namespace synthoscope::simulator {

inline constexpr int kMostKeyParts = 8;  ///< no key of ours has more than three

/// Where a key of more than kMostKeyParts parts begins in TOML, or npos: its tables would nest so
/// deep that parsers, which go from one to the next by recursion, run out of stack.
/// @source  TOML 1.0.0, Keys and Strings.
std::size_t deep_key(std::string_view toml);

}  // namespace synthoscope::simulator
