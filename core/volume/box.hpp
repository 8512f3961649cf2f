// SPDX-License-Identifier: MIT
// core/volume/box.hpp — half-open boxes of voxels, their runs in memory and their pieces.
#pragma once
#include <algorithm>
#include <cstdint>
#include "core/volume/extent.hpp"

namespace synthoscope {

/// Holds `origin`, does not hold `origin + size`. Empty if any size is zero.
struct Box3 {
  Index3 origin;
  Extent3 size;
  friend constexpr bool operator==(const Box3&, const Box3&) = default;
};

/// The box that covers a whole volume.
constexpr Box3 whole(const Extent3& e) {
  return {{}, e};
}

/// One plane of a volume.
constexpr Box3 plane(const Extent3& e, std::int64_t z) {
  return {{z, 0, 0}, {1, e.y, e.x}};
}

/// True if every voxel of `inner` lies in a volume of extent `outer`.
constexpr bool contains(const Extent3& outer, const Box3& inner) {
  const auto within = [](std::int64_t origin, std::int64_t size, std::int64_t end) {
    return origin >= 0 && size >= 0 && origin <= end - size;
  };
  return within(inner.origin.z, inner.size.z, outer.z) &&
         within(inner.origin.y, inner.size.y, outer.y) &&
         within(inner.origin.x, inner.size.x, outer.x);
}

/// The voxels that lie in both boxes; sizes are zero where there are none.
constexpr Box3 intersection(const Box3& a, const Box3& b) {
  const auto low = [](std::int64_t p, std::int64_t q) { return std::max(p, q); };
  const auto length = [](std::int64_t a0, std::int64_t an, std::int64_t b0, std::int64_t bn) {
    return std::max<std::int64_t>(0, std::min(a0 + an, b0 + bn) - std::max(a0, b0));
  };
  return {{low(a.origin.z, b.origin.z), low(a.origin.y, b.origin.y), low(a.origin.x, b.origin.x)},
          {length(a.origin.z, a.size.z, b.origin.z, b.size.z),
           length(a.origin.y, a.size.y, b.origin.y, b.size.y),
           length(a.origin.x, a.size.x, b.origin.x, b.size.x)}};
}

/// The box `by` further along each axis; with `sign` -1, `by` back.
constexpr Box3 shifted(const Box3& box, const Index3& by, int sign = 1) {
  return {{box.origin.z + sign * by.z, box.origin.y + sign * by.y, box.origin.x + sign * by.x},
          box.size};
}

std::ostream& operator<<(std::ostream& out, const Box3& box);

}  // namespace synthoscope

/// Prints "40x201x101 at (0, 0, 0)".
template <>
struct fmt::formatter<synthoscope::Box3> : fmt::formatter<fmt::string_view> {
  auto format(const synthoscope::Box3& b, fmt::format_context& context) const
      -> fmt::format_context::iterator;
};

namespace synthoscope {

/// Calls `body(first, at, count)` for every run of voxels that is contiguous both in a volume of
/// extent `all`, from its voxel `first` on, and in a buffer of the rows of `box`, `pitch` voxels
/// apart, from its voxel `at` on. A run is the whole box, the rows of a plane, or a single row.
template <class Body>
void for_each_run(const Extent3& all, const Box3& box, std::int64_t pitch, Body&& body) {
  const bool full_rows = box.size.x == all.x && pitch == all.x;
  const bool full_planes = full_rows && box.size.y == all.y;
  const std::int64_t rows = box.size.z * box.size.y;
  const std::int64_t together = full_planes ? rows : full_rows ? box.size.y : 1;
  if (box.size.x == 0) return;
  for (std::int64_t row = 0; row < rows; row += together) {
    const std::int64_t z = box.origin.z + row / box.size.y, y = box.origin.y + row % box.size.y;
    body((z * all.y + y) * all.x + box.origin.x, row * pitch, together * box.size.x);
  }
}

/// Calls `visit(part)` for the pieces of a box of `size` that are at most `piece`, in z, y, x
/// order; origins are relative to the box.
template <class Visit>
void for_each_piece(const Extent3& size, const Extent3& piece, Visit&& visit) {
  for (std::int64_t z = 0; z < size.z; z += piece.z)
    for (std::int64_t y = 0; y < size.y; y += piece.y)
      for (std::int64_t x = 0; x < size.x; x += piece.x)
        visit(Box3{{z, y, x},
                   {std::min(piece.z, size.z - z), std::min(piece.y, size.y - y),
                    std::min(piece.x, size.x - x)}});
}

/// Rows of one plane of `box`, or a part of one, that have at most `voxels` voxels.
inline Extent3 rows_within(std::int64_t voxels, const Extent3& box) {
  const std::int64_t columns = std::min(box.x, voxels);
  return {1, std::max<std::int64_t>(1, voxels / columns), columns};
}

}  // namespace synthoscope
