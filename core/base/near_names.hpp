// SPDX-License-Identifier: MIT
// core/base/near_names.hpp — the known names that a mistyped one may have meant.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope {

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
/// @source the optimal string alignment distance: Damerau, CACM 7(3) 1964,
///         doi:10.1145/363958.363994.
std::int64_t edit_distance(std::string_view a, std::string_view b);

/// At most three of `known`, nearest first: those that start with `word`, and those at most a third
/// of its length (and one letter at least) away.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> known);

}  // namespace synthoscope
