// SPDX-License-Identifier: MIT
// core/boundary.hpp — what lies outside an image: an index map, never a padded copy.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace synthoscope {

/// The meanings of scipy.ndimage: zero is its `constant` 0, and wrap its `wrap`.
///   nearest  a a a | a b c d | d d d        reflect  c b a | a b c d | d c b
///   mirror   d c b | a b c d | c b a        wrap     b c d | a b c d | a b c
enum class Boundary { zero, nearest, reflect, mirror, wrap };

std::string_view name_of(Boundary boundary);
std::optional<Boundary> boundary_named(std::string_view name);

inline constexpr std::int64_t kOutside = -1;

/// The voxel of an axis of length `n` >= 1 that stands at position `i`, any sign; kOutside where
/// boundary zero has none.
std::int64_t mapped_index(Boundary boundary, std::int64_t i, std::int64_t n);

}  // namespace synthoscope
