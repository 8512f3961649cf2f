// SPDX-License-Identifier: MIT
// core/volume/extent.hpp — sizes and positions on a 3-D voxel grid. The order is z, y, x
// everywhere.
#pragma once
#include <fmt/format.h>
#include <cstdint>
#include <ostream>
#include "core/base/error.hpp"

namespace synthoscope {

/// Voxels along each axis; x is contiguous in memory.
struct Extent3 {
  std::int64_t z = 0, y = 0, x = 0;
  friend constexpr bool operator==(const Extent3&, const Extent3&) = default;
};

/// A voxel position. Signed, because a padded box may start before the volume does.
struct Index3 {
  std::int64_t z = 0, y = 0, x = 0;
  friend constexpr bool operator==(const Index3&, const Index3&) = default;
};

/// Voxel count of `e`. @throws InvalidSpec if it does not fit in 63 bits.
constexpr std::int64_t volume(const Extent3& e) {
  std::int64_t yx = 0, zyx = 0;
  if (__builtin_mul_overflow(e.y, e.x, &yx) || __builtin_mul_overflow(e.z, yx, &zyx))
    throw InvalidSpec("count voxels: the volume has more than 2^63 - 1 of them; use a smaller one");
  return zyx;
}

/// True if every axis has at least one voxel.
constexpr bool is_positive(const Extent3& e) {
  return e.z > 0 && e.y > 0 && e.x > 0;
}

std::ostream& operator<<(std::ostream& out, const Extent3& e);
std::ostream& operator<<(std::ostream& out, const Index3& i);

}  // namespace synthoscope

/// Prints "40x201x101": z, y, x. Defined out of line: the body would cost every file that includes
/// this one seconds of compile time.
template <>
struct fmt::formatter<synthoscope::Extent3> : fmt::formatter<fmt::string_view> {
  auto format(const synthoscope::Extent3& e, fmt::format_context& context) const
      -> fmt::format_context::iterator;
};

/// Prints "(12, 0, 7)": z, y, x.
template <>
struct fmt::formatter<synthoscope::Index3> : fmt::formatter<fmt::string_view> {
  auto format(const synthoscope::Index3& i, fmt::format_context& context) const
      -> fmt::format_context::iterator;
};
