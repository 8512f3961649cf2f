// SPDX-License-Identifier: MIT
// kernels/integer_box.hpp — means of boxes of integers by exact sums, which may therefore run on
// from row to row: they are the same wherever they begin.
#pragma once
#include <functional>
#include "kernels/vector_level.hpp"
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// A box in a plane, and the weight of its voxels.
struct IntegerBox {
  std::int64_t rows, columns;
  float weight;

  /// Whether its voxels are integers whose sum is one of 32 bits.
  [[nodiscard]] bool is_exact(PixelType type) const;
};

/// A plane of voxels around a tile, in memory of its own.
struct IntegerPlane {
  Box3 around;         ///< the tile and what boxes reach; one plane
  float* voxels;       ///< room for around.size.y rows of 16 bits, `pitch` elements apart
  std::int64_t pitch;  ///< room for vectors beyond a row included
  float* sums;         ///< room for kIntegerBoxRows rows
};
inline constexpr std::int64_t kIntegerBoxRows = 3;

/// Receives row y of the tile.
using TakeIntegerBoxRow = std::function<void(std::int64_t y, const float* row)>;

/// The weight times the sum of each box, in float32: exact sums, rounded where they are made floats
/// and where they are weighed.
/// @param box  exact for the type of `in`.
void weigh_boxes(const Window& in, Boundary boundary, const IntegerBox& box,
                 const IntegerPlane& plane, VectorLevel level, const TakeIntegerBoxRow& take);

}  // namespace synthoscope::kernels
