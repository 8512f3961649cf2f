// SPDX-License-Identifier: MIT
// core/volume/boundary.hpp — what lies outside an image: an index map, never a padded copy.
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

/// i modulo n, in [0, n).
inline std::int64_t wrapped_index(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

/// Returns the index of the voxel at position `i` (any sign) of an axis of length `n` >= 1;
/// kOutside if boundary zero has no voxel there. Device code uses this function as well.
inline std::int64_t mapped_index(Boundary boundary, std::int64_t i, std::int64_t n) {
  if (i >= 0 && i < n) return i;
  switch (boundary) {
    case Boundary::zero:
      return kOutside;
    case Boundary::nearest:
      return i < 0 ? 0 : n - 1;
    case Boundary::wrap:
      return wrapped_index(i, n);
    case Boundary::reflect: {
      const std::int64_t j = wrapped_index(i, 2 * n);
      return j < n ? j : 2 * n - 1 - j;
    }
    case Boundary::mirror:
      break;
  }
  if (n == 1) return 0;
  const std::int64_t j = wrapped_index(i, 2 * n - 2);
  return j < n ? j : 2 * n - 2 - j;
}

}  // namespace synthoscope
