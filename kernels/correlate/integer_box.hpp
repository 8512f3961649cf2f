// SPDX-License-Identifier: MIT
// kernels/correlate/integer_box.hpp — means of boxes of integers by exact sums, which can therefore
// run from row to row: they do not depend on where they begin.
#pragma once
#include <functional>
#include "core/vector/vector_level.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

/// A box in a plane, and the weight of its voxels.
struct IntegerBox {
  std::int64_t rows, columns;
  float weight;

  /// Returns whether voxels of `type` are integers whose sum over the box fits into 32 bits.
  [[nodiscard]] bool is_exact(PixelType type) const;
};

/// A plane of voxels around a tile, in separate memory.
struct IntegerPlane {
  Box3 around;         ///< one plane: the tile and what boxes reach
  float* voxels;       ///< space for around.size.y rows of 16 bits, `pitch` elements apart
  std::int64_t pitch;  ///< includes space for vectors beyond a row
  float* sums;         ///< space for kIntegerBoxRows rows
};
inline constexpr std::int64_t kIntegerBoxRows = 3;

/// Receives row y of the tile.
using TakeIntegerBoxRow = std::function<void(std::int64_t y, const float* row)>;

/// Computes the weight times the sum of each box, in float32. Sums are exact; they are rounded when
/// converted to float and when weighted.
/// @param box  exact for the type of `in`.
void weigh_boxes(const Window& in, Boundary boundary, const IntegerBox& box,
                 const IntegerPlane& plane, VectorLevel level, const TakeIntegerBoxRow& take);

}  // namespace synthoscope::kernels
