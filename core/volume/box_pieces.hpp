// SPDX-License-Identifier: MIT
// core/volume/box_pieces.hpp — a box in pieces that fit a small room.
#pragma once
#include <algorithm>
#include <cstdint>
#include "core/volume/box.hpp"

namespace synthoscope {

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
